/* libclang, opened at run time in a scope of its own.
 *
 * libclang loads libLLVM, which exports thousands of isl symbols, from a copy
 * of another version.  A program linked with both may call one copy with the
 * other's structures.  Opened with RTLD_LOCAL, no symbol of libLLVM can serve
 * our calls, and with RTLD_DEEPBIND none of ours serves its calls.
 */
#ifndef STENCILC_LIBCLANG_H
#define STENCILC_LIBCLANG_H

#include <clang-c/Index.h>

#define LIBCLANG_FUNCTIONS(f) \
	f(clang_createIndex) \
	f(clang_disposeIndex) \
	f(clang_parseTranslationUnit2) \
	f(clang_disposeTranslationUnit) \
	f(clang_getTranslationUnitCursor) \
	f(clang_getNumDiagnostics) \
	f(clang_getDiagnostic) \
	f(clang_disposeDiagnostic) \
	f(clang_getDiagnosticSeverity) \
	f(clang_getDiagnosticSpelling) \
	f(clang_getDiagnosticLocation) \
	f(clang_getCString) \
	f(clang_disposeString) \
	f(clang_getFileName) \
	f(clang_getExpansionLocation) \
	f(clang_getFile) \
	f(clang_File_isEqual) \
	f(clang_getFileLocation) \
	f(clang_Location_isFromMainFile) \
	f(clang_Location_isInSystemHeader) \
	f(clang_getCursorExtent) \
	f(clang_getCursorLocation) \
	f(clang_getRangeStart) \
	f(clang_getRangeEnd) \
	f(clang_visitChildren) \
	f(clang_getCursorKind) \
	f(clang_isExpression) \
	f(clang_getCursor) \
	f(clang_getCursorType) \
	f(clang_getCanonicalType) \
	f(clang_getPointeeType) \
	f(clang_getArrayElementType) \
	f(clang_getArraySize) \
	f(clang_getTypeSpelling) \
	f(clang_getResultType) \
	f(clang_Cursor_getNumArguments) \
	f(clang_Cursor_getArgument) \
	f(clang_isConstQualifiedType) \
	f(clang_isVolatileQualifiedType) \
	f(clang_isRestrictQualifiedType) \
	f(clang_getCursorReferenced) \
	f(clang_getCursorDefinition) \
	f(clang_getCursorSpelling) \
	f(clang_getCursorSemanticParent) \
	f(clang_hashCursor) \
	f(clang_equalCursors) \
	f(clang_getCursorBinaryOperatorKind) \
	f(clang_getCursorUnaryOperatorKind) \
	f(clang_Cursor_Evaluate) \
	f(clang_getEnumConstantDeclValue) \
	f(clang_Cursor_getOffsetOfField) \
	f(clang_Cursor_isBitField) \
	f(clang_Type_getSizeOf) \
	f(clang_Cursor_getStorageClass) \
	f(clang_EvalResult_getKind) \
	f(clang_EvalResult_getAsLongLong) \
	f(clang_EvalResult_getAsDouble) \
	f(clang_EvalResult_dispose) \
	f(clang_Cursor_isNull)

/* A member per function, of its name and type. */
struct libclang {
	void *handle;
#define LIBCLANG_MEMBER(name) __typeof__(&name) name;
	LIBCLANG_FUNCTIONS(LIBCLANG_MEMBER)
#undef LIBCLANG_MEMBER
};

#endif
