/** Submits a form like its button. The last digit of a code calls it. */
export function submitForm(id: string): void {
  const form = document.getElementById(id)
  if (form instanceof HTMLFormElement) form.requestSubmit()
}
