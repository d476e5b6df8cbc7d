/**
 * Who is signed in goes before who signs in: while their calls come close together, hashing leaves them one core.
 * Alone it has all of them.
 */

/** Two calls as near to each other as this are traffic; one is somebody opening a page. */
const nearMs = 50
let newest = Number.NEGATIVE_INFINITY
let second = Number.NEGATIVE_INFINITY

/** To be called for each call by somebody signed in. */
export function recordRequest() {
  second = newest
  newest = performance.now()
}

/** Whether calls of people who are signed in come close together just now. */
export const isBusy = () => performance.now() - second < nearMs
