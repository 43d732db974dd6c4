# SPDX-License-Identifier: BSL-1.0
# The package of a flake, over as much of nixpkgs as docs/packaging/nix uses.
{ flake }:
let
  systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
  each = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
  nixpkgs = {
    lib.genAttrs = each;
    legacyPackages = each systems (system: {
      stdenvNoCC.mkDerivation = arguments: arguments;
      cmake = "cmake";
      boost = "boost";
      lib.licenses.boost = "BSL-1.0";
    });
  };
  package = ((import flake).outputs { self = { }; inherit nixpkgs; }).packages.x86_64-linux.default;
in package // { src = toString package.src; }
