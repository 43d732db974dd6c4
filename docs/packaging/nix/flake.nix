# SPDX-License-Identifier: BSL-1.0
# nix build 'git+file:///path/to/anew?dir=docs/packaging/nix'
{
  description = "anew: retry strategies for C++20, composed at compile time";

  outputs = { self, nixpkgs }:
    let
      tree = ../../..;
      version = builtins.head (builtins.match ".*project\\('anew', 'cpp', version: '([^']+)'.*"
        (builtins.readFile (tree + "/meson.build")));
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
    in {
      packages = nixpkgs.lib.genAttrs systems (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "anew";
            inherit version;
            src = tree;
            nativeBuildInputs = [ pkgs.cmake ];
            propagatedBuildInputs = [ pkgs.boost ];
            # By default Nix gives CMake absolute folders, and the package for CMake could not be moved.
            cmakeFlags = [ "-DCMAKE_INSTALL_INCLUDEDIR=include" "-DCMAKE_INSTALL_DATADIR=share" ];
            meta = {
              description = "Retry strategies for C++20, composed at compile time";
              license = pkgs.lib.licenses.boost;
            };
          };
        });
    };
}
