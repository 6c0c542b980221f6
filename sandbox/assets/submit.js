// Goes on without waiting for the button; the page's form works by hand where scripts do not run.
document.querySelector('form[data-goes-on]')?.submit()
