"""Use the reports in a folder as somebody would, and compare what they show
with what the compiler counted.

usage: report.py BROWSER FOLDER

Prints "ok WHAT" or "WHAT: why not", a line each.
"""
import glob
import os
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

NUMBERS = ("points", "loaded", "reused", "stored", "kept", "pitch", "height",
           "columns", "width", "rows", "iterations")


def expect(what, got, wanted):
    print(f"ok {what}" if got == wanted else f"{what}: {got}, not {wanted}")


def start(browser):
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--window-size=1200,1600"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options)


class Page:
    def __init__(self, driver, path):
        self.driver = driver
        driver.get("file://" + os.path.abspath(path))
        self.find("html[data-ready]")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def number(self, name):
        return int(self.find(f"#n-{name}").get_attribute("data-value"))

    def numbers(self):
        return {name: self.number(name) for name in self.counted()}

    def counted(self):
        """What the compiler counted for the sizes of the page."""
        explorer = self.find("#explorer")
        found = {name: explorer.get_attribute(f"data-{name}")
                 for name in NUMBERS}
        return {name: int(n) for name, n in found.items() if n}

    def slide(self, name, value):
        """Move a slider with the arrow keys, as a keyboard user does."""
        slider = self.find(f"#{name}")
        for _ in range(600):
            now = int(slider.get_attribute("value"))
            if now == value:
                return
            slider.send_keys(Keys.ARROW_RIGHT if now < value
                             else Keys.ARROW_LEFT)


def sizes_of(path):
    text = os.path.basename(path).split("-")[1][:-len(".html")]
    return {k: int(v) for k, v in (p.split("=") for p in text.split(","))}


def check_numbers(driver, paths):
    """Each page counts as the compiler does, also after the sliders of the
    other page's sizes were moved to its own."""
    pages = {}
    for path in paths:
        page = Page(driver, path)
        pages[path] = page.counted()
        expect(f"{os.path.basename(path)}: as counted by the compiler",
               page.numbers(), pages[path])
        expect(f"{os.path.basename(path)}: interactive in a second",
               int(page.find("html").get_attribute("data-ready")) < 1000, True)
    page = Page(driver, paths[0])
    for name, value in sizes_of(paths[1]).items():
        page.slide(name, value)
    expect(f"{os.path.basename(paths[0])}: sliders moved to "
           f"{os.path.basename(paths[1])}", page.numbers(), pages[paths[1]])


def check_steps(driver, path):
    page = Page(driver, path)
    height = page.number("height")
    first = height // 2
    expect("it starts at the first time step", page.find("#n-row").text,
           str(first))
    page.find("#next").click()
    expect("a step", page.find("#n-row").text, str(first + 1))
    expect("the status says it", f"row {first + 1} of each tile" in
           page.find("#status").text, True)
    running = page.all("#explorer-pattern .runs")
    expect("tiles run", len(running) > 0, True)
    expect("all of one phase", len({r.get_attribute("class").split()[0]
                                    for r in running}), 1)
    page.find("#launch").click()
    expect("the next launch", "phase 1, row 0" in page.find("#status").text,
           True)
    page.find("#back").click()
    expect("a step back", f"phase 0, row {height - 1}" in
           page.find("#status").text, True)
    # All rows of a phase compute all points of the tile.
    page.slide("moment", 0)
    total = 0
    for _ in range(height):
        total += page.number("row-points")
        page.find("#next").click()
    expect("the rows' points add up to the tile's", total,
           page.number("points"))
    page.find("#play").send_keys(Keys.ENTER)
    expect("it plays", page.find("#play").text, "Stop")
    page.find("#play").send_keys(Keys.ENTER)
    expect("it stops", page.find("#play").text, "Play")


def check_strip_steps(driver, path):
    """An iteration loads a position, then each step computes one, later ones
    further behind; the last one stores it."""
    page = Page(driver, path)
    b = int(page.find("#b").get_attribute("value"))
    lag = page.number("lag")
    page.slide("moment", (lag + 2) * (b + 1) + (b + 1) * 9)
    n = page.number("iteration")
    expect("the next row arrives", "version t0" in page.find("#status").text,
           True)
    lefts = []
    for m in range(b):
        page.find("#next").click()
        running = page.all("#explorer-stream .runs")
        expect(f"step {m} computes one position", len(running), 1)
        lefts.append(float(running[0].get_attribute("x")))
        if not page.all("#explorer-stream .reads"):
            print(f"step {m} reads nothing")
    expect("steps lag behind each other", lefts,
           sorted(lefts, reverse=True))
    expect("by as much", len({round(x - y, 2)
                              for x, y in zip(lefts, lefts[1:])}) <= 1, True)
    expect("the last one stores", "and stores it" in
           page.find("#status").text, True)
    page.find("#next").click()
    expect("then comes the next iteration", page.number("iteration"), n + 1)


def check_halos(driver, path):
    """In three dimensions what a step needs shrinks on all four sides."""
    page = Page(driver, path)
    b = int(page.find("#b").get_attribute("value"))
    sizes = []
    for _ in range(b + 1):
        needed = page.find("#explorer-block .needed")
        sizes.append(tuple(float(needed.get_attribute(key))
                           for key in ("width", "height")))
        page.find("#next").click()
    expect("both halos shrink with each step", all(
        x > y and z > w for (x, z), (y, w) in zip(sizes, sizes[1:])), True)
    page.slide("y", 1)
    page.slide("b", 12)
    expect("too many steps leave nothing",
           page.find("#too-large").is_displayed(), True)


def check_sweep(driver, path):
    """Every point of every step is in a wave, after those that it reads."""
    page = Page(driver, path)
    for name, size in (("T", 2), ("N", 4), ("M", 5)):
        page.slide(name, size)
    page.slide("moment", 0)
    wave_of = {}
    for wave in range(page.number("waves")):
        for cell in page.all("#explorer-points .runs"):
            wave_of[tuple(int(cell.get_attribute(f"data-{key}"))
                          for key in "tij")] = wave
        page.find("#next").click()
    expect("all points are computed", len(wave_of), 2 * 4 * 5)
    late = [(point, other) for point in wave_of for other in wave_of
            if wave_of[other] >= wave_of[point] and seidel_reads(point, other)]
    expect("after those that they read", late, [])


def seidel_reads(point, other):
    """Is "other" the value that seidel2d reads around "point"?"""
    t, i, j = point
    return (abs(other[1] - i) <= 1 and abs(other[2] - j) <= 1 and
            other[0] == (t if (other[1], other[2]) < (i, j) else t - 1))


def check_groups(driver, path):
    """Stages follow each other; what they compute adds up."""
    page = Page(driver, path)
    total = 0
    page.slide("moment", 0)
    for _ in range(int(page.find("#moment").get_attribute("max")) + 1):
        total += page.number("row-points")
        page.find("#next").click()
    expect(f"{os.path.basename(path)}: the stages' points add up", total,
           page.number("points"))


def check_candidates(driver, path):
    """A candidate's sizes go to the sliders."""
    page = Page(driver, path)
    row = page.all("#candidates tbody tr")[-1]
    row.find_element(By.TAG_NAME, "button").click()
    wanted = dict(size.split("=") for size in
                  row.get_attribute("data-sizes").split())
    got = {name: page.find(f"#{name}-value").text for name in wanted
           if page.all(f"#{name}")}
    expect(f"{os.path.basename(path)}: the explorer takes a candidate", got,
           {name: wanted[name] for name in got})
    expect("with all sizes that it has", len(got) > 1, True)


def check_links(driver, path):
    page = Page(driver, path)
    button = page.find("#program button[data-s='1']")
    driver.execute_script("arguments[0].focus()", button)
    lit = page.all(".lit")
    expect("the statement's rows, lines and dependences light up",
           {e.tag_name for e in lit} >= {"button", "span", "tr", "rect"},
           True)
    expect("and no others", all("1" in e.get_attribute("data-s").split()
                                for e in lit), True)


def check_reads(driver, path):
    """Each read lights up its distances and itself in the code emitted."""
    page = Page(driver, path)
    buttons = page.all("#program button[data-r]")
    expect("reads are buttons", len(buttons), 11)
    lacks = []
    for button in buttons:
        driver.execute_script("arguments[0].focus()", button)
        for part in ("#program", "#dependences", "#emitted"):
            if not page.all(f"{part} .lit-read"):
                lacks.append(f"{button.text} in {part}")
        lit = page.all(".lit-read")
        if any(e.get_attribute("data-r") != button.get_attribute("data-r")
               for e in lit if e.tag_name == "button"):
            lacks.append(f"{button.text} alone")
    expect("each lights up, with its distance and its code", lacks, [])
    driver.execute_script("document.activeElement.blur()")
    read = page.find("#emitted [data-r]")
    name = read.get_attribute("data-r")
    driver.execute_script(
        "arguments[0].dispatchEvent(new MouseEvent('mouseover',"
        " {bubbles: true}))", read)
    expect("code lights up the read in the program", [
        b.get_attribute("data-r") for b in
        page.all("#program button.lit-read")], [name])


def check_table(driver, path):
    page = Page(driver, path)

    def column():
        return [float(c.get_attribute("data-value")) for c in
                page.all("#candidates tbody td:last-child")]

    head = page.find("#candidates th:last-child button")
    before = column()
    head.click()
    expect("sorted", column(), sorted(before))
    head.click()
    expect("sorted downwards", column(), sorted(before, reverse=True))
    expect("it says so", page.find("#candidates th:last-child")
           .get_attribute("aria-sort"), "descending")


def check_metrics(driver, path):
    page = Page(driver, path)
    page.find("nav a[href='#metrics']").click()
    cells = page.all("#metrics tr[data-key='global_load_sectors'] td")
    expect("a column for each kernel", len(cells),
           len(page.all("#metrics thead th")) - 1)
    expect("each with a count", all(
        float(c.get_attribute("data-value")) == float(c.text) > 0
        for c in cells), True)


def check_reader(driver, path):
    page = Page(driver, path)
    for image in page.all("svg"):
        if not image.get_attribute("aria-label"):
            print("an image has no description")
    expect("each slider has a label", all(
        driver.execute_script("return arguments[0].labels.length", i) == 1
        for i in page.all("input")), True)
    levels = [int(h.tag_name[1]) for h in page.all("h1,h2,h3")]
    expect("headings skip no level", all(
        b - a <= 1 for a, b in zip(levels, levels[1:])), True)


def main():
    browser, folder = sys.argv[1:]
    driver = start(browser)
    try:
        for name in ("heat2d", "fdtd2d", "heat3d", "skew", "strips2d",
                     "strips3d", "groups", "groups2d", "pipelines"):
            paths = sorted(glob.glob(f"{folder}/{name}-*.html"))
            check_numbers(driver, paths)
            if name.startswith("groups"):
                check_groups(driver, paths[1])
        for name in ("strips2d", "strips3d"):
            path = sorted(glob.glob(f"{folder}/{name}-*.html"))[0]
            check_strip_steps(driver, path)
        check_halos(driver, path)
        check_sweep(driver, f"{folder}/sweeps.html")
        for name in ("strips", "columns", "groups"):
            check_candidates(driver, f"{folder}/candidates-{name}.html")
        path = sorted(glob.glob(f"{folder}/fdtd2d-*.html"))[0]
        for check in (check_steps, check_links, check_reads, check_reader):
            check(driver, path)
        check_metrics(driver, f"{folder}/metrics.html")
        check_table(driver, sorted(glob.glob(f"{folder}/heat2d-*.html"))[0])
        errors = [e["message"] for e in driver.get_log("browser")
                  if e["level"] == "SEVERE"]
        expect("no errors in the console", errors, [])
        if "SCREENSHOT" in os.environ:
            Page(driver, path)
            driver.set_window_size(1200, 5200)
            driver.save_screenshot(os.environ["SCREENSHOT"])
    finally:
        driver.quit()


main()
