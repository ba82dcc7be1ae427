"""What a page does against the content security policy, as the browser tells it."""

from playwright.sync_api import Page

WATCH_POLICY = """window.violations = [];
addEventListener("securitypolicyviolation",
    event => violations.push(`${event.violatedDirective} ${event.blockedURI}`));"""
"""Runs in a page before all others, and keeps what the browser tells."""


def policy_violations(page: Page) -> list[str]:
    """What the page did against the policy since it was opened."""
    found: list[str] = page.evaluate("() => window.violations")
    return found
