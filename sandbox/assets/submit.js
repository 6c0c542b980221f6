// Automatic submission of the page's form.
document.querySelector('form[data-goes-on]')?.submit()
