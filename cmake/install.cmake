# Installation: headers, libraries, the command, pkg-config files, a CMake package. Everything finds its prefix from
# where it stands, so an installed tree may be moved.

# lib also where Debian would take lib/x86_64-linux-gnu. Only if nobody chose: a second entry of type PATH would turn
# -DCMAKE_INSTALL_LIBDIR=lib64 into a folder below the one where cmake was called.
if(NOT DEFINED CMAKE_INSTALL_LIBDIR)
	set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "where libraries go, below the prefix")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(PLIANT_LIBRARIES ${PLIANT_PRODUCTS})
list(REMOVE_ITEM PLIANT_LIBRARIES pliant)
install(TARGETS ${PLIANT_LIBRARIES} EXPORT pliant-targets
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
	INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET pliant)
	install(TARGETS pliant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- pkg-config

file(RELATIVE_PATH PLIANT_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PLIANT_PREFIX_FROM_PC "${PLIANT_PREFIX_FROM_PC}")
set(PLIANT_PRIVATE_LIBS)
foreach(library ${PLIANT_LIBS})
	string(REPLACE "Threads::Threads" "pthread" library ${library})
	string(APPEND PLIANT_PRIVATE_LIBS " -l${library}")
endforeach()
foreach(name pliant pliant-io)
	configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
	install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# ---- find_package(pliant)

set(PLIANT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION ${PLIANT_CMAKE_DIR})
configure_package_config_file(cmake/pliant-config.cmake.in pliant-config.cmake INSTALL_DESTINATION ${PLIANT_CMAKE_DIR})
write_basic_package_version_file(pliant-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pliant-config.cmake ${CMAKE_BINARY_DIR}/pliant-config-version.cmake
	DESTINATION ${PLIANT_CMAKE_DIR})
