# SPDX-License-Identifier: BSL-1.0
# What anew's targets need of others: the same in its sources and where it is installed.

# Boost.Hana: a target that the program has, or Boost's own package, or the header alone. CMake 3.30 has no FindBoost.
function(anew_complete target)
  target_compile_features(${target} INTERFACE cxx_std_20)
  if(NOT TARGET Boost::hana AND NOT TARGET Boost::headers)
    find_package(Boost 1.74 QUIET CONFIG)
  endif()
  if(TARGET Boost::hana)
    target_link_libraries(${target} INTERFACE Boost::hana)
  elseif(TARGET Boost::headers)
    target_link_libraries(${target} INTERFACE Boost::headers)
  else()
    find_path(ANEW_BOOST_INCLUDE_DIR boost/hana.hpp)
    mark_as_advanced(ANEW_BOOST_INCLUDE_DIR)
    if(NOT ANEW_BOOST_INCLUDE_DIR)
      message(FATAL_ERROR "anew needs the headers of Boost.Hana, 1.74 or newer. Install them (Debian: libboost-dev), or "
        "set ANEW_BOOST_INCLUDE_DIR to the folder that has boost/hana.hpp.")
    endif()
    target_include_directories(${target} SYSTEM INTERFACE "${ANEW_BOOST_INCLUDE_DIR}")
  endif()
  find_package(range-v3 QUIET CONFIG)  # only <anew/schedule.hpp> includes it
  if(TARGET range-v3::range-v3)
    target_link_libraries(${target} INTERFACE range-v3::range-v3)
  endif()
endfunction()

# `import anew;`: the library that a program links which imports the module. The module unit lies beside this file, in the
# sources and where it is installed.
set(ANEW_MODULE_DIR "${CMAKE_CURRENT_LIST_DIR}")
function(anew_add_module target)
  if(CMAKE_VERSION VERSION_LESS 3.28 AND NOT CMAKE_EXPERIMENTAL_CXX_MODULE_CMAKE_API)
    message(FATAL_ERROR "anew_add_module needs CMake 3.28 or newer, the first that builds modules; this is "
      "${CMAKE_VERSION}. Include the headers, or build docs/packaging/anew.cppm with commands of your own.")
  endif()
  add_library(${target} STATIC)
  target_sources(${target} PUBLIC FILE_SET CXX_MODULES BASE_DIRS "${ANEW_MODULE_DIR}"
    FILES "${ANEW_MODULE_DIR}/anew.cppm")
  target_link_libraries(${target} PUBLIC anew::anew)
endfunction()

# Boost.Asio is of headers too. It needs threads.
function(anew_complete_asio target)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages OR "C" IN_LIST languages)
    set(THREADS_PREFER_PTHREAD_FLAG ON)
    find_package(Threads QUIET)
  endif()
  if(TARGET Threads::Threads)
    target_link_libraries(${target} INTERFACE Threads::Threads)
  endif()
endfunction()
