# SPDX-License-Identifier: BSL-1.0
"""As much of Conan 2 as docs/packaging/conan uses: the recipe's methods in the order of `conan create`, and the files
that CMakeDeps would write.
"""
import collections
import importlib.util
import pathlib
import re
import shutil
import sys
import types


class ConanInvalidConfiguration(Exception):
    pass


class Settings:
    """What a profile says; an attribute that it does not have is a mistake of the recipe."""

    def __init__(self, declared, profile):
        for name in declared:
            setattr(self, name, profile[name])
        self._profile = {**{name: profile[name] for name in declared}, "compiler.cppstd": profile["compiler.cppstd"]}

    def get_safe(self, name, default=None):
        return self._profile.get(name, default)


class Info:
    cleared = False

    def clear(self):
        self.cleared = True


class CppInfo:
    def __init__(self):
        self.properties, self.requires, self.system_libs = {}, [], []
        self.bindirs, self.libdirs, self.components = ["bin"], ["lib"], collections.defaultdict(CppInfo)

    def set_property(self, name, value):
        self.properties[name] = value


class ConanFile:
    version = None

    def requires(self, reference, **traits):
        self.required.append((reference, traits))


def copy(_, pattern, src, dst):
    """Conan matches a pattern with the path below src, where * crosses folders."""
    regex = re.compile(re.escape(pattern).replace(r"\*", ".*"))
    found = [path for path in pathlib.Path(src).rglob("*")
             if path.is_file() and regex.fullmatch(path.relative_to(src).as_posix())]
    for path in found:
        to = pathlib.Path(dst) / path.relative_to(src)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    return found


def check_min_cppstd(recipe, least):
    if int(str(recipe.settings.get_safe("compiler.cppstd")).removeprefix("gnu")) < least:
        raise ConanInvalidConfiguration(f"C++{least} is required")


def basic_layout(recipe):
    recipe.laid_out = True


def provide_modules():
    def module(name, **names):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(names)
    module("conan", ConanFile=ConanFile)
    module("conan.errors", ConanInvalidConfiguration=ConanInvalidConfiguration)
    module("conan.tools")
    module("conan.tools.build", check_min_cppstd=check_min_cppstd)
    module("conan.tools.files", copy=copy, load=lambda _, path: pathlib.Path(path).read_text(encoding="utf-8"))
    module("conan.tools.layout", basic_layout=basic_layout)


def load_recipe(folder):
    provide_modules()
    spec = importlib.util.spec_from_file_location("recipe", folder / "conanfile.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (kind,) = [one for one in vars(module).values()
               if isinstance(one, type) and issubclass(one, ConanFile) and one is not ConanFile]
    return kind


def create(folder, top, cppstd):
    """`conan create FOLDER -s compiler.cppstd=...` in the folder top, as far as the package. Returns the recipe."""
    kind = load_recipe(folder)
    exporting = kind()
    exporting.recipe_folder, exporting.export_sources_folder = str(folder), str(top / "sources")
    exporting.set_version()
    exporting.export_sources()

    # From here on only what was exported is there.
    recipe = kind()
    cache = top / "recipe"
    cache.mkdir()
    recipe.recipe_folder, recipe.version, recipe.required = str(cache), exporting.version, []
    profile = {"os": "Linux", "arch": "x86_64", "compiler": "gcc", "build_type": "Release", "compiler.cppstd": cppstd}
    recipe.settings = Settings(kind.settings, profile)
    recipe.info, recipe.cpp_info = Info(), CppInfo()
    recipe.layout()
    recipe.requirements()
    recipe.validate()
    recipe.package_id()
    recipe.source_folder, recipe.package_folder = str(top / "sources"), str(top / "package")
    recipe.package()
    recipe.package_info()
    return recipe


def cmake_deps(recipe, to, targets_of_others):
    """What CMakeDeps writes: a target for each component, and one for all of them."""
    names = {name: one.properties.get("cmake_target_name", f"{recipe.name}::{name}")
             for name, one in recipe.cpp_info.components.items()}
    every = recipe.cpp_info.properties.get("cmake_target_name", f"{recipe.name}::{recipe.name}")
    if every in names.values():
        raise SystemExit(f"the target of all components, {every}, has the name of a component")
    lines = []
    for name, one in recipe.cpp_info.components.items():
        links = [targets_of_others[need] if "::" in need else names[need] for need in one.requires] + one.system_libs
        lines += [f"add_library({names[name]} INTERFACE IMPORTED)",
                  f"target_include_directories({names[name]} SYSTEM INTERFACE {recipe.package_folder}/include)"]
        lines += [f"target_link_libraries({names[name]} INTERFACE {link})" for link in links]
    to.mkdir()
    file = recipe.cpp_info.properties.get("cmake_file_name", recipe.name)
    (to / f"{file}-config.cmake").write_text("\n".join(lines) + "\n", encoding="utf-8")
