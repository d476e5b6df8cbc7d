import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../scripts/lib/ports.ts'
import { type Figure, judge } from '../lib/report.ts'
import { pause, root, type Stage } from '../lib/stage.ts'

/** `npm ci && npm start` in a fresh copy until the sign-in page comes. Only when asked for: it needs the network. */
export async function install(_stage: Stage): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-bench-install-'))
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of tracked.filter(Boolean)) cpSync(join(root, file), join(folder, file))
  const port = await freePorts(3)
  const from = performance.now()
  const child = spawn('sh', ['-c', 'npm ci --no-audit --no-fund && exec npm start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A process group of its own, so that npm and its children can be ended together.
    detached: true,
  })
  try {
    while (!(await servesPage(port))) {
      if (child.exitCode !== null) throw new Error(`npm ci && npm start ended with ${child.exitCode}`)
      await pause(100)
    }
    const value = (performance.now() - from) / 1000
    const what = 'npm ci && npm start to the sign-in page'
    return [
      judge({ row: 'install', what, value, unit: ' s', better: 'less', budget: 150, aim: 90, details: {} }),
    ]
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await pause(3000)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function servesPage(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/login`, { headers: { accept: 'text/html' } }).catch(
    () => null,
  )
  return answer?.status === 200
}
