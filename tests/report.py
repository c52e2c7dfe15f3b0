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

NUMBERS = ("points", "loaded", "reused", "stored", "kept", "pitch", "height")


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
        return {name: self.number(name) for name in NUMBERS}

    def counted(self):
        """What the compiler counted for the sizes of the page."""
        return {name: int(self.find("#explorer").get_attribute(f"data-{name}"))
                for name in NUMBERS}

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
        for name in ("heat2d", "fdtd2d", "heat3d"):
            check_numbers(driver, sorted(glob.glob(f"{folder}/{name}-*.html")))
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
