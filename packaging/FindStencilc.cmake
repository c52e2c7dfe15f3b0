# Find stencilc.
#
#	list(APPEND CMAKE_MODULE_PATH /usr/share/stencilc/cmake)
#	find_package(Stencilc 0.1 REQUIRED)
#	add_stencil(heat2d heat2d.stn TARGET c)
#	target_link_libraries(program PRIVATE heat2d)
#
# sets Stencilc_FOUND, Stencilc_EXECUTABLE and Stencilc_VERSION, and defines
#
#	add_stencil(NAME FILE.stn [TARGET cuda|hip|c] [SHARED] [OPTIONS option..])
#
# a library NAME of what FILE.stn defines, whose header NAME.h those that link
# with it can include.  TARGET cuda, the default, needs the language CUDA,
# TARGET hip the language HIP of CMake 3.21.
find_program(Stencilc_EXECUTABLE stencilc)
if(Stencilc_EXECUTABLE)
  execute_process(COMMAND ${Stencilc_EXECUTABLE} --version
    OUTPUT_VARIABLE Stencilc_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^stencilc " "" Stencilc_VERSION "${Stencilc_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Stencilc
  REQUIRED_VARS Stencilc_EXECUTABLE VERSION_VAR Stencilc_VERSION)
mark_as_advanced(Stencilc_EXECUTABLE)

function(add_stencil name file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SHARED" "TARGET" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "add_stencil: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET cuda)
  endif()
  if(arg_TARGET STREQUAL cuda)
    set(suffix cu)
  elseif(arg_TARGET STREQUAL hip)
    set(suffix hip.cpp)
  elseif(arg_TARGET STREQUAL c)
    set(suffix c)
  else()
    message(FATAL_ERROR "add_stencil: TARGET is cuda, hip or c")
  endif()
  set(type STATIC)
  if(arg_SHARED)
    set(type SHARED)
  endif()
  get_filename_component(input ${file} ABSOLUTE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.stencil)
  file(MAKE_DIRECTORY ${folder})
  set(output ${folder}/${name}.${suffix})
  set(header ${folder}/${name}.h)
  add_custom_command(OUTPUT ${output} ${header}
    COMMAND ${Stencilc_EXECUTABLE} --target=${arg_TARGET} ${arg_OPTIONS}
      -o ${output} --header=${header} ${input}
    DEPENDS ${input} VERBATIM)
  add_library(${name} ${type} ${output} ${header})
  target_include_directories(${name} PUBLIC ${folder})
  if(arg_TARGET STREQUAL hip)
    set_source_files_properties(${output} PROPERTIES LANGUAGE HIP)
  endif()
  if(arg_TARGET STREQUAL c)
    find_package(OpenMP QUIET)
    if(OpenMP_C_FOUND)
      target_link_libraries(${name} PUBLIC OpenMP::OpenMP_C)
    endif()
    if(UNIX)
      target_link_libraries(${name} PUBLIC m)
    endif()
  endif()
endfunction()
