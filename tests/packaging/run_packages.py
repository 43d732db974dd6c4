#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds the packages of docs/packaging, and consumers with them, each in a directory of its own.

    run_packages.py SOURCE_ROOT bazel|conan|debian|nix|release|vcpkg|wrap

Debian's tools, Bazel, Meson and git are run. Conan, vcpkg and Nix are not: their recipes are read, checked against the
project, and their steps are replayed over the stand-ins in stand_ins/. Exits with 77 (skipped) when a tool is not
installed.
"""
import ast
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

from run_consumers import HERE, PARTS, expect, headers, need, run

sys.path.insert(0, str(HERE / "stand_ins"))
sys.dont_write_bytecode = True


def version_of(root):
    return re.search(r"^project\('anew',[^)]*?\bversion: '([^']+)'", (root / "meson.build").read_text(encoding="utf-8"),
                     re.M).group(1)


def copy_tree(root, to):
    for part in PARTS:
        if (root / part).is_dir():
            shutil.copytree(root / part, to / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / part, to / part)


def git(at, *words, **more):
    """With no settings but these, and always at the same time."""
    names = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
             for what, value in (("NAME", "anew"), ("EMAIL", "anew@example.org"), ("DATE", "1700000000 +0000"))}
    return run("git", "-C", at, *words, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull,
                                             "GIT_CONFIG_NOSYSTEM": "1", **names}, **more).strip()


def commit(at, message):
    if not (at / ".git").exists():
        git(at, "init", "--quiet", "--initial-branch=main")
    git(at, "add", "--all", "--force")
    git(at, "commit", "--quiet", "--message", message)
    return git(at, "rev-parse", "HEAD")


def consume_by_cmake(top, *options):
    """A program that calls find_package(anew), built and run."""
    source = top / "consumer"
    shutil.copytree(HERE / "consumer_cmake", source)
    shutil.copy(HERE / "main.cpp", source)
    run("cmake", "-S", source, "-B", top / "consumer-build", *options)
    run("cmake", "--build", top / "consumer-build")
    run(top / "consumer-build/consumer")


# ---------------------------------------------------------------------------------------------------------------------


def build_debian(root, top):
    """Their paths, by the names of the packages."""
    need("dpkg-buildpackage", "dh", "lintian", "cmake", "pkg-config", "help2man")
    # Without optimisation (but of what asks for it: simulations) and debug information, and without g++'s collecting
    # garbage that would fit into memory, it takes a third of the time.
    env = {**os.environ, "DEB_BUILD_OPTIONS": "parallel=1 noopt noautodbgsym", "DEB_CXXFLAGS_STRIP": "-O0",
           "DEB_CXXFLAGS_APPEND": "-g0 --param=ggc-min-heapsize=524288"}
    env.pop("CXX", None)
    run("sh", root / "docs/packaging/build_debian.sh", top / "out", env=env)
    # The first tag is about what "noopt" omits. The second takes machine code for words.
    run("lintian", "--allow-root", "--display-info", "--pedantic", "--fail-on=error,warning,info,pedantic",
        "--suppress-tags=hardening-no-fortify-functions,spelling-error-in-binary", *(top / "out").glob("*.changes"))
    return {path.name.split("_")[0]: path for path in (top / "out").glob("*.deb")}


def debian(root, top):
    """Both packages, built at once."""
    packages = build_debian(root, top)
    expect(sorted(packages) == ["anew-tools", "libanew-dev"], f"two packages: {sorted(packages)}")
    debian_headers(root, top, packages)
    debian_programs(root, top, packages)


def debian_headers(root, top, packages):
    said = run("dpkg-deb", "--field", packages["libanew-dev"])
    for line in (f"Version: {version_of(root)}-1", "Architecture: all", "Multi-Arch: foreign",
                 "Depends: libboost-dev (>= 1.74) | libboost1.81-dev"):
        expect(line in said.splitlines(), f"libanew-dev says {line}")
    unpacked = top / "unpacked"
    run("dpkg-deb", "-x", packages["libanew-dev"], unpacked)
    prefix = unpacked / "usr"
    expect(headers(prefix / "include") == headers(root / "include"), "libanew-dev has all headers")

    consume_by_cmake(top, f"-DCMAKE_PREFIX_PATH={prefix}")
    env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "share/pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": str(unpacked)}
    flags = run("pkg-config", "--cflags", f"anew = {version_of(root)}", env=env).split()
    expect(f"-I{prefix}/include" in flags, f"pkg-config names the headers: {flags}")
    compiler = os.environ.get("CXX", "g++").split()
    run(*compiler, "-std=c++20", *flags, HERE / "main.cpp", "-o", top / "by-pkg-config")
    run(top / "by-pkg-config")


def debian_programs(root, top, packages):
    run("dpkg-deb", "-x", packages["anew-tools"], top / "unpacked-tools")
    prefix = top / "unpacked-tools/usr"
    for program in ("anew-get", "anew-load", "anew-plan", "anew-fleet"):
        expect(version_of(root) in run(prefix / "bin" / program, "--version"), f"{program} runs")
        page = prefix / f"share/man/man1/{program}.1.gz"
        text = gzip.decompress(page.read_bytes()) if page.is_file() else b""
        expect(b"\\-\\-version" in text, f"{program} has a page of the manual, with its options")
        expect(text.count(f"\n.br\n{program.replace('-', chr(92) + '-')} ".encode()) == 3,
               f"{program} has each of its three examples on a line of its own")
        for file in (f"bash-completion/completions/{program}", f"zsh/vendor-completions/_{program}",
                     f"fish/vendor_completions.d/{program}.fish"):
            expect("version" in (prefix / "share" / file).read_text(), f"{program} has completions: {file}")
    # Their tests simulate for minutes, which these programs do as well as others would.
    run(sys.executable, root / "tests/anew_plan/run_tests.py", prefix / "bin/anew-plan")
    run(sys.executable, root / "tests/anew_fleet/run_tests.py", prefix / "bin/anew-fleet", root / "examples/anew_fleet")


def conan(root, top):
    need("cmake")
    import conan as stand_in  # pylint: disable=import-outside-toplevel
    folder = root / "docs/packaging/conan"
    (top / "refused").mkdir()
    create = stand_in.create
    try:
        create(folder, top / "refused", "gnu17")
        expect(False, "C++17 is refused")
    except stand_in.ConanInvalidConfiguration as refused:
        expect(True, f"C++17 is refused: {refused}")
    (top / "conan").mkdir()
    recipe = create(folder, top / "conan", "20")
    expect((recipe.name, recipe.version) == ("anew", version_of(root)), f"it is {recipe.name}/{recipe.version}")
    expect(recipe.package_type == "header-library" and recipe.no_copy_source and recipe.info.cleared,
           "a library of headers: nothing copied to build, one package for all settings")
    expect(recipe.license == "BSL-1.0" and (top / "conan/package/licenses/LICENSE").is_file(), "with the licence")
    (required, traits), = recipe.required
    expect(required == "boost/[>=1.74.0 <2]" and traits.get("transitive_headers"), f"it requires {required}")
    expect(headers(top / "conan/package/include") == headers(root / "include"), "all headers are packaged")
    expect(all(not one.libdirs and not one.bindirs for one in recipe.cpp_info.components.values()), "and nothing else")
    targets = {one.properties["cmake_target_name"] for one in recipe.cpp_info.components.values()}
    expect(targets == {"anew::anew", "anew::asio"}, f"the targets are those of CMakeLists.txt: {sorted(targets)}")

    test = top / "test_package"
    shutil.copytree(folder / "test_package", test)
    ast.parse((test / "conanfile.py").read_text(encoding="utf-8"))
    (top / "boost").mkdir()
    (top / "boost/boost-config.cmake").write_text("add_library(Boost::headers INTERFACE IMPORTED)\n", encoding="utf-8")
    stand_in.cmake_deps(recipe, top / "generators", {"boost::headers": "Boost::headers"})
    with open(top / "generators/anew-config.cmake", "a", encoding="utf-8") as out:
        out.write(f"include({top}/boost/boost-config.cmake)\n")
    run("cmake", "-S", test, "-B", top / "build", f"-DCMAKE_PREFIX_PATH={top}/generators")
    run("cmake", "--build", top / "build")
    expect(version_of(root) in run(top / "build/first_call"), "the test package runs")


def vcpkg(root, top):
    need("cmake")
    port = root / "docs/packaging/vcpkg/anew"
    manifest = json.loads((port / "vcpkg.json").read_text(encoding="utf-8"))
    expect((manifest["name"], manifest["version"], manifest["license"]) == ("anew", version_of(root), "BSL-1.0"),
           f"it is {manifest['name']} {manifest['version']}")
    unknown = set(manifest) - {"$comment", "name", "version", "description", "license", "dependencies", "features"}
    expect(not unknown, f"no field that vcpkg.json has not {unknown or ''}")
    lists = [manifest["dependencies"], *(one["dependencies"] for one in manifest["features"].values())]
    for needed in lists:
        names = [one if isinstance(one, str) else one["name"] for one in needed]
        expect(names == sorted(names) and all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names),
               f"names of ports, in order: {names}")
    for name, feature in manifest["features"].items():
        named = re.findall(r"<(anew/[^>]+)>", feature["description"])
        missing = [one for one in named if not (root / "include" / one).exists()]
        expect(named and not missing, f"feature {name} names headers that exist: {named}")

    # Where vcpkg finds an overlay: in the tree.
    tree, prefix = top / "tree", top / "packages/anew_x64-linux"
    copy_tree(root, tree)
    run("cmake", "-DPORT=anew", f"-DCURRENT_PORT_DIR={tree}/docs/packaging/vcpkg/anew", f"-DBUILD_DIR={top}/buildtrees",
        f"-DCURRENT_PACKAGES_DIR={prefix}", "-P", HERE / "stand_ins/vcpkg.cmake")
    shutil.rmtree(tree)
    expect(headers(prefix / "include") == headers(root / "include"), "all headers are packaged")
    there = sorted(str(path.relative_to(prefix)) for path in (prefix / "share").rglob("*") if path.is_file())
    names = ("anew.cppm", "anewConfig.cmake", "anewConfigVersion.cmake", "anewTargets.cmake", "copyright", "usage")
    wanted = [f"share/anew/{name}" for name in names] + ["share/pkgconfig/anew.pc"]
    expect(there == wanted, f"where vcpkg wants it: {there}")
    usage = (prefix / "share/anew/usage").read_text(encoding="utf-8")
    expect("find_package(anew CONFIG REQUIRED)" in usage and "anew::anew" in usage, "usage names package and target")
    moved = top / "vcpkg_installed"
    shutil.move(prefix, moved)  # vcpkg links a package into another folder
    consume_by_cmake(top, f"-DCMAKE_PREFIX_PATH={moved}")


# Repositories that Bazel would download: rules in the place of its own, and Hana of the system.
BAZEL_REPOSITORIES = {
    "rules_cc": {"cc/defs.bzl": ["cc_binary", "cc_import", "cc_library", "cc_test", "cc_toolchain",
                                 "cc_toolchain_suite", "fdo_prefetch_hints", "fdo_profile", "objc_import",
                                 "objc_library"],
                 "cc/cc_library.bzl": ["cc_library"], "cc/cc_binary.bzl": ["cc_binary"]},
    "rules_java": {"java/defs.bzl": ["java_binary", "java_import", "java_library", "java_lite_proto_library",
                                     "java_package_configuration", "java_plugin", "java_proto_library", "java_runtime",
                                     "java_test", "java_toolchain"]},
}


def bazel(root, top):
    need("bazel")
    folder = root / "docs/packaging/bazel"
    calls = [(node.func.id, {one.arg: ast.literal_eval(one.value) for one in node.keywords})
             for node in ast.walk(ast.parse((folder / "MODULE.bazel").read_text(encoding="utf-8")))
             if isinstance(node, ast.Call)]
    expect(("module", {"name": "anew", "version": version_of(root)}) in calls, f"it is module anew {version_of(root)}")
    modules = {words["name"] for call, words in calls if call == "bazel_dep"}
    used = set(re.findall(r"@([\w.]+)", (folder / "BUILD.bazel").read_text(encoding="utf-8")))
    expect(modules == used, f"the modules that it depends on are those that it uses: {sorted(modules)}")
    page = (root / "docs/how_to/install.md").read_text(encoding="utf-8")
    copied = re.search(r'patch_cmds = \["(.+?)"\]', page)
    expect(copied, "the page about installing says how its files get to the top")

    for name, files in BAZEL_REPOSITORIES.items():
        for file, rules in files.items():
            path = top / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(f"def {rule}(**words): native.{rule}(**words)\n" for rule in rules)
            path.write_text(text, encoding="utf-8")
            (path.parent / "BUILD").touch()
        (top / name / "WORKSPACE").touch()
    hana = pathlib.Path(next(dir for dir in ("/usr/include", "/usr/local/include")
                             if os.path.exists(f"{dir}/boost/hana.hpp")))
    (top / "boost.hana/include").mkdir(parents=True)
    (top / "boost.hana/include/boost").symlink_to(hana / "boost")
    (top / "boost.hana/WORKSPACE").touch()
    (top / "boost.hana/BUILD").write_text(
        'cc_library(name = "boost.hana", hdrs = glob(["include/boost/hana/**/*.hpp"]) + ["include/boost/hana.hpp"], '
        'includes = ["include"], visibility = ["//visibility:public"])\n', encoding="utf-8")
    copy_tree(root, top / "anew")
    run("sh", "-c", copied.group(1), cwd=top / "anew")
    (top / "anew/WORKSPACE").touch()
    app = top / "app"
    app.mkdir()
    shutil.copy(HERE / "main.cpp", app)
    (app / "BUILD").write_text('load("@rules_cc//cc:cc_binary.bzl", "cc_binary")\n'
                               'cc_binary(name = "app", srcs = ["main.cpp"], deps = ["@anew", "@anew//:asio"])\n',
                               encoding="utf-8")
    (app / "WORKSPACE").write_text("".join(f'local_repository(name = "{name}", path = "../{name}")\n'
                                           for name in (*BAZEL_REPOSITORIES, "boost.hana", "anew")), encoding="utf-8")
    command = ["bazel", f"--output_user_root={top}/of-bazel", "--batch"]
    try:
        said = run(*command, "query", "labels(hdrs, @anew//:anew)", cwd=app)
        labels = set(re.findall(r"^@anew//:include/(.*)$", said, re.M))
        there = {str(name) for name in headers(root / "include")}
        expect(labels == there, f"the library has all headers: {len(labels)} of {len(there)}")
        run(*command, "build", "--jobs=2", "--spawn_strategy=local", "--cxxopt=-std=c++20", "//:app", cwd=app)
        run(app / "bazel-bin/app")
    finally:  # Bazel takes the right to write away from what it makes
        subprocess.run(["chmod", "-R", "u+w", top / "of-bazel"], check=False)


def nix(root, top):
    need("nix-instantiate", "cmake")
    env = {**os.environ, "HOME": str(top), "NIX_STATE_DIR": str(top / "state"), "NIX_STORE_DIR": str(top / "store")}
    out = run("nix-instantiate", "--eval", "--json", "--strict", HERE / "stand_ins/nix.nix", "--arg", "flake",
              root / "docs/packaging/nix/flake.nix", env=env)
    package = json.loads(out[out.index("{"):out.rindex("}") + 1])
    expect((package["pname"], package["version"]) == ("anew", version_of(root)),
           f"it is {package['pname']} {package['version']}")
    expect(pathlib.Path(package["src"]) == root, f"its sources are the tree: {package['src']}")
    expect(package["nativeBuildInputs"] == ["cmake"] and package["propagatedBuildInputs"] == ["boost"], "with Boost")
    # Nix's hook for CMake gives absolute folders first.
    prefix = top / "result"
    run("cmake", "-S", root, "-B", top / "build", f"-DCMAKE_INSTALL_PREFIX={prefix}",
        f"-DCMAKE_INSTALL_INCLUDEDIR={prefix}/include", *package["cmakeFlags"])
    run("cmake", "--install", top / "build")
    moved = top / "moved"
    shutil.move(prefix, moved)
    consume_by_cmake(top, f"-DCMAKE_PREFIX_PATH={moved}")


def wrap(root, top):
    need("git")
    origin = top / "origin"
    copy_tree(root, origin)
    good = commit(origin, "good")
    umbrella = origin / "include/anew/anew.hpp"
    umbrella.write_text('#error "a later commit"\n', encoding="utf-8")
    commit(origin, "broken")

    def build(name, *revision):
        source = top / name
        shutil.copytree(HERE / "consumer_subproject", source)
        shutil.copy(HERE / "main.cpp", source)
        (source / "subprojects").mkdir()
        text = run(sys.executable, origin / "docs/packaging/pin_wrap.py", f"file://{origin}", *revision)
        (source / "subprojects/anew.wrap").write_text(text, encoding="utf-8")
        run("meson", "setup", source / "build", source)
        return source, text
    source, text = build("pinned", good)
    expect(f"revision = {good}" in text, "the wrap names the commit")
    expect(git(source / "subprojects/anew", "rev-parse", "HEAD") == good, "Meson has fetched that commit")
    run("meson", "test", "-C", source / "build")
    source, _ = build("latest")
    expect("a later commit" in run("meson", "compile", "-C", source / "build", fails=True),
           "without a revision it is the latest commit")
    run(sys.executable, origin / "docs/packaging/pin_wrap.py", f"file://{origin}", "v99", fails=True)


# ---------------------------------------------------------------------------------------------------------------------

SPDX_ID = re.compile(r"SPDXRef-[a-zA-Z0-9.-]+")


def check_sbom(path, packed, contents):
    """What SPDX 2.3 requires of a document, its packages, files and relationships, and that the numbers are right."""
    said = json.loads(path.read_text(encoding="utf-8"))
    expect((said["spdxVersion"], said["dataLicense"], said["SPDXID"]) == ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT")
           and said["name"], "the document is SPDX 2.3 under CC0-1.0, with a name")
    expect(re.fullmatch(r"https?://[^#\s]+", said["documentNamespace"]), "its namespace is a URI without a fragment")
    expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", said["creationInfo"]["created"])
           and all(re.match(r"(Tool|Person|Organization): ", one) for one in said["creationInfo"]["creators"]),
           "it says when it was made, and by what")
    ids = [one["SPDXID"] for one in (said, *said["packages"], *said["files"])]
    expect(len(set(ids)) == len(ids) and all(SPDX_ID.fullmatch(one) for one in ids), f"{len(ids)} names, each once")
    for one in said["relationships"]:
        if one["spdxElementId"] not in ids or one["relatedSpdxElement"] not in ids:
            expect(False, f"a relationship of what is there: {one}")
    related = {(one["spdxElementId"], one["relationshipType"], one["relatedSpdxElement"])
               for one in said["relationships"]}
    expect(("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-anew") in related, "the document describes anew")
    expect(("SPDXRef-anew", "DEPENDS_ON", "SPDXRef-Boost.Hana") in related, "anew depends on Boost.Hana")
    for one in said["packages"]:
        expect(one["name"] and one["downloadLocation"] and one["licenseConcluded"], f"{one['name']} is complete")
        expect(one["filesAnalyzed"] == ("packageVerificationCode" in one), "what was analyzed has a verification code")
    anew = next(one for one in said["packages"] if one["SPDXID"] == "SPDXRef-anew")
    digest = hashlib.sha256(packed).hexdigest()
    expect(anew["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}], "the tarball has its checksum")
    listed = {one["fileName"]: {sum["algorithm"]: sum["checksumValue"] for sum in one["checksums"]}
              for one in said["files"]}
    right = {"./" + name: {"SHA1": hashlib.sha1(text).hexdigest(), "SHA256": hashlib.sha256(text).hexdigest()}
             for name, text in contents.items()}
    expect(listed == right, f"each of {len(right)} files is listed, with its checksums")
    expect(all(("SPDXRef-anew", "CONTAINS", one["SPDXID"]) in related for one in said["files"]), "as part of anew")
    code = hashlib.sha1("".join(sorted(one["SHA1"] for one in right.values())).encode()).hexdigest()
    expect(anew["packageVerificationCode"]["packageVerificationCodeValue"] == code, "the verification code is right")
    expect(all(one["licenseConcluded"] and one["licenseInfoInFiles"] and one["copyrightText"] for one in said["files"]),
           "each file says its licence, or that it says none")


def release(root, top):
    need("git", "cmake", "sha256sum")
    version = version_of(root)
    origin = top / "origin"
    copy_tree(root, origin)
    changes = (origin / "CHANGELOG.md").read_text(encoding="utf-8")
    first = f"## [{version}] - "
    dated = re.sub(rf"^{re.escape(first)}.*$", first + "2026-11-24", changes, count=1, flags=re.M)
    (origin / "CHANGELOG.md").write_text(dated, encoding="utf-8")
    made_of = commit(origin, "the release")
    umask = os.umask(0o022)

    def make(clone, to, *revision, env=None, fails=False):
        return run(sys.executable, clone / "docs/packaging/release.py", to, *revision, fails=fails,
                   env={**os.environ, **(env or {})})
    git(top, "clone", "--quiet", origin, top / "one")
    expect("A trial" in make(top / "one", top / "to-one"), "a commit gives a trial")
    # Another clone: other settings, attributes, times of files, mask, time zone, language; changes not committed.
    os.umask(0o077)
    git(top, "clone", "--quiet", origin, top / "other")
    other = top / "other"
    git(other, "config", "tar.umask", "0077")
    git(other, "config", "core.autocrlf", "true")
    (other / ".git/info").mkdir(exist_ok=True)
    (other / ".git/info/attributes").write_text("*.md export-ignore\n", encoding="utf-8")
    (top / "of-user").write_text("[tar]\n\tumask = 0\n[core]\n\tautocrlf = true\n"
                                 f"\tattributesFile = {top}/attributes\n", encoding="utf-8")
    (top / "attributes").write_text("*.hpp text eol=crlf\n*.py export-ignore\n", encoding="utf-8")
    (top / "git").mkdir()
    (top / "git/attributes").write_text("*.cpp export-ignore\n", encoding="utf-8")
    for path in other.rglob("*.hpp"):
        os.utime(path, (1, 1))
    (other / "README.md").write_text("changed\n", encoding="utf-8")
    (other / "more.txt").write_text("more\n", encoding="utf-8")
    make(other, top / "to-other", made_of, env={"TZ": "Pacific/Auckland", "LC_ALL": "C", "XDG_CONFIG_HOME": str(top),
                                                "GIT_CONFIG_GLOBAL": str(top / "of-user")})
    os.umask(umask)
    names = [f"anew-{version}.tar.gz", f"anew-{version}.spdx.json", "SHA256SUMS"]
    for name in names:
        expect((top / "to-one" / name).read_bytes() == (top / "to-other" / name).read_bytes(), f"twice the same {name}")
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=top / "to-one")
    expect(len((top / "to-one/SHA256SUMS").read_text(encoding="utf-8").splitlines()) == 2, "checksums of both")

    packed = top / "to-one" / names[0]
    contents = {}
    with tarfile.open(packed) as opened:
        for member in opened:
            expect_quietly(member.mtime == 1700000000 and member.uid == 0 and member.name.startswith(f"anew-{version}"),
                           f"{member.name} has the time of the commit and no user")
            expect_quietly(member.mode in (0o644, 0o755, 0o775, 0o664), f"{member.name} may be read: {member.mode:o}")
            if member.isfile():
                contents[member.name.removeprefix(f"anew-{version}/")] = opened.extractfile(member).read()
    tracked = git(origin, "ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")
    expect(sorted(contents) == sorted(name for name in tracked if name), f"all {len(contents)} files, and no other")
    expect(contents["README.md"] == (origin / "README.md").read_bytes(), "as they are in the commit")
    check_sbom(top / "to-one" / names[1], packed.read_bytes(), contents)

    # The sources of a release are enough.
    run("tar", "-xf", packed, "-C", top)
    prefix = top / "prefix"
    run("cmake", "-S", top / f"anew-{version}", "-B", top / "build", f"-DCMAKE_INSTALL_PREFIX={prefix}")
    run("cmake", "--install", top / "build")
    expect(headers(prefix / "include") == headers(root / "include"), "the tarball installs all headers")

    # The tag rule.
    git(origin, "tag", f"v{version}")
    expect("annotated" in make(origin, top / "no", f"v{version}", fails=True), "a lightweight tag is refused")
    git(origin, "tag", "--delete", f"v{version}")
    git(origin, "tag", "--annotate", "--message", "x", "v99.0.0")
    expect(f"is v{version}" in make(origin, top / "no", "v99.0.0", fails=True), "a tag of another version is refused")
    git(origin, "tag", "--annotate", "--message", f"anew {version}", f"v{version}")
    expect("A trial" not in make(origin, top / "tagged", f"v{version}"), "an annotated tag of the version is a release")
    expect((top / "tagged" / names[0]).read_bytes() == packed.read_bytes(), "with the bytes of its commit")
    (origin / "CHANGELOG.md").write_text(dated.replace("- 2026-11-24", "- unreleased", 1), encoding="utf-8")
    commit(origin, "not yet")
    git(origin, "tag", "--force", "--annotate", "--message", "x", f"v{version}")
    expect("no date" in make(origin, top / "no", f"v{version}", fails=True), "a version without a date is refused")
    expect(not (top / "no").exists(), "what is refused writes nothing")


def expect_quietly(condition, sentence):
    if not condition:
        expect(False, sentence)


def main():
    root, package = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    for variable in ("DESTDIR", "MESON_BUILD_ROOT", "MESONINTROSPECT", "MESON_SOURCE_ROOT"):
        os.environ.pop(variable, None)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"anew-{package}-") as top:
        os.chdir(top)
        ways = {"bazel": bazel, "conan": conan, "debian": debian, "nix": nix, "release": release, "vcpkg": vcpkg,
                "wrap": wrap}
        ways[package](root, pathlib.Path(top).resolve())
        os.chdir(HERE)
    print(f"{package}: {time.monotonic() - begin:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
