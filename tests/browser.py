"""A browser for tests: Debian's chromium and chromium-driver, headless, controlled by Selenium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REASON_TO_SKIP = (
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


def is_missing() -> bool:
    """True if no browser is installed that the tests can use."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return True
    return not (shutil.which("chromium") and shutil.which("chromedriver"))


@contextmanager
def browser(profile: Path) -> Iterator[Any]:
    """A running browser. profile: an empty folder."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    # Chromium's sandbox does not work for root, and containers run as root.
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
    """Set the size of the screen. A narrow screen is that of a phone."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def set_preferences(driver: Any, **features: str) -> None:
    """Set what the system prefers, such as ``prefers_color_scheme="dark"``."""
    media = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
