// Carries the answer on at once; without scripts the button does it.
document.querySelector('form').requestSubmit()
