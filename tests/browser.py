"""A real browser for tests: Debian's chromium and chromium-driver, headless, driven by Selenium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WHY_NOT = (
    "needs selenium, chromium and chromedriver"
    " (Debian: apt-get install chromium chromium-driver; pip install selenium)"
)
_FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def missing() -> bool:
    """Whether there is no browser to test with."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return True
    return not (shutil.which("chromium") and shutil.which("chromedriver"))


@contextmanager
def browser(profile: Path) -> Iterator[Any]:
    """A browser that is closed in the end. profile: an empty folder."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    # Chromium's sandbox doesn't work for root, as whom containers run.
    for flag in (*_FLAGS, *(("--no-sandbox",) if os.geteuid() == 0 else ())):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    driver = webdriver.Chrome(options, service)
    try:
        yield driver
    finally:
        driver.quit()


def resize(driver: Any, width: int, height: int) -> None:
    """Make the page as wide and high as a screen, that of a phone if it is narrow."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def prefer(driver: Any, **features: str) -> None:
    """Set what the system prefers, such as ``prefers_color_scheme="dark"``."""
    wanted = [{"name": name.replace("_", "-"), "value": to} for name, to in features.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
