/* The symbol table of the program, or of the shared library that contains the emulator: which
 * function or variable an address belongs to.  Read on first use.
 */
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <list>

#include "emu.h"

namespace stencilc_emu {

struct segment {
	address start, end;
	unsigned flags;
};

struct program {
	std::string file;
	address offset;			/* offset of addresses from the file's */
	std::vector<segment> segments;
};

struct symbol_table {
	std::vector<symbol> symbols;
	std::list<std::string> names;	/* sections of the file */
};

std::string symbol::name() const
{
	int status = -1;
	char *d = strncmp(mangled, "_Z", 2) ? nullptr :
		abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
	std::string s = d && status == 0 ? d : mangled;

	free(d);
	return s;
}

/* Does this function lie in it? */
static bool is_ours(const struct dl_phdr_info *info)
{
	address here = (address) &is_ours;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) &h = info->dlpi_phdr[i];
		if (h.p_type == PT_LOAD &&
		    here - (info->dlpi_addr + h.p_vaddr) < h.p_memsz)
			return true;
	}
	return false;
}

static int note_segments(struct dl_phdr_info *info, size_t, void *data)
{
	program *p = (program *) data;

	if (!is_ours(info))
		return 0;
	p->file = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	p->offset = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) &h = info->dlpi_phdr[i];
		if (h.p_type != PT_LOAD)
			continue;
		address start = info->dlpi_addr + h.p_vaddr;
		p->segments.push_back({ start, start + h.p_memsz, h.p_flags });
	}
	return 1;
}

/* Kept to the end, because reports are printed when the program exits. */
static const program &the_program()
{
	static const program *the = [] {
		program *p = new program();

		dl_iterate_phdr(note_segments, p);
		return p;
	}();
	return *the;
}

static void add_symbols(symbol_table &t, const char *file,
	const ElfW(Shdr) &table, const ElfW(Shdr) &names)
{
	const ElfW(Sym) *s = (const ElfW(Sym) *) (file + table.sh_offset);
	size_t n = table.sh_size / sizeof *s;

	t.names.emplace_back(file + names.sh_offset, names.sh_size);
	for (size_t i = 0; i < n; i++) {
		int type = ELF64_ST_TYPE(s[i].st_info);
		if (type != STT_FUNC && type != STT_OBJECT)
			continue;
		if (!s[i].st_size || s[i].st_shndx == SHN_UNDEF)
			continue;
		t.symbols.push_back({ the_program().offset + s[i].st_value,
			s[i].st_size, t.names.back().c_str() + s[i].st_name,
			type == STT_FUNC });
	}
}

static void read_tables(symbol_table &t, const char *file, size_t bytes)
{
	const ElfW(Ehdr) *h = (const ElfW(Ehdr) *) file;

	if (bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return;
	const ElfW(Shdr) *s = (const ElfW(Shdr) *) (file + h->e_shoff);
	for (int i = 0; i < h->e_shnum; i++)
		if (s[i].sh_type == SHT_SYMTAB)
			add_symbols(t, file, s[i], s[s[i].sh_link]);
}

static void read_file(symbol_table &t)
{
	int fd = open(the_program().file.c_str(), O_RDONLY);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0) {
		void *m = mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE,
			fd, 0);
		if (m != MAP_FAILED) {
			read_tables(t, (const char *) m, st.st_size);
			munmap(m, st.st_size);
		}
	}
	close(fd);
}

const std::vector<symbol> &all_symbols()
{
	static const symbol_table *the = [] {
		symbol_table *t = new symbol_table();

		read_file(*t);
		std::sort(t->symbols.begin(), t->symbols.end(),
			[](const symbol &a, const symbol &b) {
				return a.start < b.start;
			});
		return t;
	}();
	return the->symbols;
}

const symbol *symbol_at(address a)
{
	const std::vector<symbol> &v = all_symbols();
	auto i = std::upper_bound(v.begin(), v.end(), a,
		[](address a, const symbol &s) { return a < s.start; });

	if (i == v.begin())
		return nullptr;
	--i;
	return a - i->start < i->bytes ? &*i : nullptr;
}

address load_offset()
{
	return the_program().offset;
}

static bool is_in(address a, unsigned with, unsigned without)
{
	for (const segment &s : the_program().segments)
		if (a >= s.start && a < s.end && (s.flags & with) == with &&
		    !(s.flags & without))
			return true;
	return false;
}

bool is_program_text(address a)
{
	return is_in(a, PF_X, 0);
}

bool is_program_constant(address a)
{
	return is_in(a, 0, PF_W);
}

/* The writable segment, with variables of all kinds. */
bool data_segment(address &start, address &end)
{
	for (const segment &s : the_program().segments)
		if (s.flags & PF_W) {
			start = s.start;
			end = s.end;
			return true;
		}
	return false;
}

address text_segment()
{
	for (const segment &s : the_program().segments)
		if (s.flags & PF_X)
			return s.start;
	return 0;
}

}
