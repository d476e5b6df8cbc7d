/** Sends a form as its button would: a code is whole with its last digit. */
export function submitForm(id: string): void {
  const form = document.getElementById(id)
  if (form instanceof HTMLFormElement) form.requestSubmit()
}
