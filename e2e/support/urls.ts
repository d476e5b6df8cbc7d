/** playwright.config.ts chooses the ports. */
function requiredEnv(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run the journeys with npx playwright test`)
  return value
}

export const appUrl = requiredEnv('PLINTH_E2E_URL')
export const sandboxUrl = requiredEnv('PLINTH_E2E_SANDBOX')
