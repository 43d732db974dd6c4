# SPDX-License-Identifier: BSL-1.0
# As much of vcpkg as docs/packaging/vcpkg uses:
#
#   cmake -DPORT=NAME -DCURRENT_PORT_DIR=DIR -DCURRENT_PACKAGES_DIR=DIR -DBUILD_DIR=DIR -P vcpkg.cmake
cmake_minimum_required(VERSION 3.19)

function(execute)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  if(NOT VCPKG_BUILD_TYPE STREQUAL "release")
    message(FATAL_ERROR "the port would be built for debug too")
  endif()
  execute(${CMAKE_COMMAND} -S "${arg_SOURCE_PATH}" -B "${BUILD_DIR}" "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}"
    ${arg_OPTIONS})
  file(STRINGS "${BUILD_DIR}/CMakeCache.txt" cache)
  foreach(option IN LISTS arg_OPTIONS)
    string(REGEX REPLACE "^-D([^:=]*).*" "\\1" name "${option}")
    if(NOT "${cache}" MATCHES ";${name}:BOOL=")
      message(FATAL_ERROR "the project has no option ${name}")
    endif()
  endforeach()
endfunction()

function(vcpkg_cmake_install)
  execute(${CMAKE_COMMAND} --install "${BUILD_DIR}")
endfunction()

# Moves the package for CMake to share/PORT, one folder up.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  set(from "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}")
  set(to "${CURRENT_PACKAGES_DIR}/share/${PORT}")
  file(GLOB files "${from}/*")
  if(NOT files)
    message(FATAL_ERROR "${from} has no files")
  endif()
  file(COPY ${files} DESTINATION "${to}")
  get_filename_component(parent "${from}" DIRECTORY)
  file(REMOVE_RECURSE "${parent}")
  file(GLOB files "${to}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REGEX REPLACE "(PACKAGE_PREFIX_DIR \"\\\${CMAKE_CURRENT_LIST_DIR}/\\.\\./)(\\.\\./)*" "\\1../" text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB files "${CURRENT_PACKAGES_DIR}/share/pkgconfig/*.pc")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REPLACE "prefix=${CURRENT_PACKAGES_DIR}" "prefix=\${pcfiledir}/../.." text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(READ "${arg_FILE_LIST}" text)
  file(WRITE "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" "${text}")
endfunction()

include("${CURRENT_PORT_DIR}/portfile.cmake")
