import { startSandbox } from './app.ts'
import { readConfig } from './config.ts'

async function main() {
  const sandbox = await startSandbox(readConfig(process.env))
  console.log(JSON.stringify({ ready: true, port: sandbox.port, smtpPort: sandbox.smtpPort }))
  let closing = false
  const stop = async () => {
    if (closing) return
    closing = true
    await sandbox.close()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

main().catch((error: unknown) => {
  console.error(`sandbox: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
  process.exit()
})
