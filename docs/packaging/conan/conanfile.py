# SPDX-License-Identifier: BSL-1.0
"""Conan 2: `conan create docs/packaging/conan`. The recipe packages the tree that it lies in."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class Anew(ConanFile):
    name = "anew"
    description = "Retry strategies for C++20, composed at compile time"
    license = "BSL-1.0"
    topics = ("retry", "backoff", "jitter", "circuit-breaker", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._tree(), "meson.build"))
        self.version = re.search(r"^project\('anew',[^)]*?\bversion: '([^']+)'", text, re.M).group(1)

    def export_sources(self):
        for pattern in ("include/*.hpp", "LICENSE"):
            copy(self, pattern, src=self._tree(), dst=self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.74.0 <2]", options={"header_only": True}, transitive_headers=True)

    def package_id(self):
        self.info.clear()

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", src=os.path.join(self.source_folder, "include"),
             dst=os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "anew")
        self.cpp_info.set_property("cmake_target_name", "anew::everything")
        self.cpp_info.set_property("pkg_config_name", "anew")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "anew::anew")
        core.requires = ["boost::headers"]
        asio = self.cpp_info.components["asio"]
        asio.set_property("cmake_target_name", "anew::asio")
        asio.requires = ["core"]
        if self.settings.os in ("Linux", "FreeBSD"):
            asio.system_libs = ["pthread"]
        for component in (core, asio):
            component.bindirs = component.libdirs = []
