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
	std::vector<symbol> symbols;
};

static std::string demangled(const char *name)
{
	int status = -1;
	char *d = strncmp(name, "_Z", 2) ? nullptr :
		abi::__cxa_demangle(name, nullptr, nullptr, &status);
	std::string s = d && status == 0 ? d : name;

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

static void add_symbols(program &p, const char *file, const ElfW(Shdr) &table,
	const char *names)
{
	const ElfW(Sym) *s = (const ElfW(Sym) *) (file + table.sh_offset);
	size_t n = table.sh_size / sizeof *s;

	for (size_t i = 0; i < n; i++) {
		int type = ELF64_ST_TYPE(s[i].st_info);
		if (type != STT_FUNC && type != STT_OBJECT)
			continue;
		if (!s[i].st_size || s[i].st_shndx == SHN_UNDEF)
			continue;
		p.symbols.push_back({ p.offset + s[i].st_value,
			s[i].st_size, demangled(names + s[i].st_name),
			type == STT_FUNC });
	}
}

static void read_tables(program &p, const char *file, size_t bytes)
{
	const ElfW(Ehdr) *h = (const ElfW(Ehdr) *) file;

	if (bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return;
	const ElfW(Shdr) *s = (const ElfW(Shdr) *) (file + h->e_shoff);
	for (int i = 0; i < h->e_shnum; i++)
		if (s[i].sh_type == SHT_SYMTAB)
			add_symbols(p, file, s[i],
				file + s[s[i].sh_link].sh_offset);
}

static void read_file(program &p)
{
	int fd = open(p.file.c_str(), O_RDONLY);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0) {
		void *m = mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE,
			fd, 0);
		if (m != MAP_FAILED) {
			read_tables(p, (const char *) m, st.st_size);
			munmap(m, st.st_size);
		}
	}
	close(fd);
}

static program *read_program()
{
	program *p = new program();

	dl_iterate_phdr(note_segments, p);
	read_file(*p);
	std::sort(p->symbols.begin(), p->symbols.end(),
		[](const symbol &a, const symbol &b) {
			return a.start < b.start;
		});
	return p;
}

/* Kept to the end, because reports are printed when the program exits. */
static const program &the_program()
{
	static const program *p = read_program();
	return *p;
}

const std::vector<symbol> &all_symbols()
{
	return the_program().symbols;
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

}
