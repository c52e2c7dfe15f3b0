# stencilc from its sources, built as the user's project is configured:
#
#	include(FetchContent)
#	FetchContent_Declare(stencilc URL /path/to/stencilc-0.1.tar.gz)
#	FetchContent_MakeAvailable(stencilc)
#	include(${stencilc_SOURCE_DIR}/packaging/StencilcFromSource.cmake)
#	stencilc_from_source(${stencilc_SOURCE_DIR} ${stencilc_BINARY_DIR})
#	add_stencil(heat2d heat2d.stn TARGET c)
#
# A checkout will do in place of a release: SOURCE_DIR in place of URL.  It needs what configure
# needs: make, a C compiler, bison, flex, isl's headers, and for a checkout autoconf and automake.
set(STENCILC_PACKAGING ${CMAKE_CURRENT_LIST_DIR})

function(stencilc_run folder)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder}
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "stencilc: ${ARGN}:\n${said}")
  endif()
endfunction()

macro(stencilc_from_source source folder)
  if(NOT EXISTS ${folder}/stencilc)
    if(NOT EXISTS ${source}/configure)
      stencilc_run(${source} autoreconf -fi)
    endif()
    file(MAKE_DIRECTORY ${folder})
    include(ProcessorCount)
    ProcessorCount(stencilc_jobs)
    if(stencilc_jobs EQUAL 0)
      set(stencilc_jobs 1)
    endif()
    stencilc_run(${folder} ${source}/configure --quiet --without-hwloc CFLAGS=-O1)
    stencilc_run(${folder} make -s -j${stencilc_jobs} stencilc)
  endif()
  set(Stencilc_EXECUTABLE ${folder}/stencilc CACHE FILEPATH "stencilc" FORCE)
  list(APPEND CMAKE_MODULE_PATH ${STENCILC_PACKAGING})
  find_package(Stencilc REQUIRED)
endmacro()
