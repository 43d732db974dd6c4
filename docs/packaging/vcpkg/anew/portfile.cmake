# SPDX-License-Identifier: BSL-1.0
# An overlay port, which installs the tree that it lies in: vcpkg install anew --overlay-ports=<anew>/docs/packaging/vcpkg
# In a registry of ports, set SOURCE_PATH by vcpkg_from_git() instead.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release)  # headers are the same for debug
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DANEW_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/anew)
vcpkg_fixup_pkgconfig()

file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
