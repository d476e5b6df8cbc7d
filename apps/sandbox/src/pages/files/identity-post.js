// Submits the form at once; without scripts the user presses the button.
document.querySelector('form').requestSubmit()
