import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../lib/refusal.ts'
import { broken, tooManyPixels } from './exit-codes.ts'
import { kindOf, type PictureKind } from './kind.ts'

/** A picture as we keep it: square, without anything that was hidden in the file it came from. */
export type Picture = { kind: PictureKind; bytes: Buffer }

export type Pictures = {
  /** @param field the input that a refusal leads to */
  portrait(file: Buffer, field: string): Promise<Picture>
}

type Options = {
  /** Pictures that are drawn at the same time; each is a process of its own. */
  atOnce?: number
  /** Those that may wait for it. */
  waiting?: number
  timeoutMs?: number
}

/**
 * Strangers' pictures are decoded in a process of their own: what is wrong with a file, or with the decoder, ends that
 * process and nothing else, and its memory is gone with it (T-70). It knows no secret and no address.
 */
export function openPictures({ atOnce = 2, waiting = 20, timeoutMs = 10_000 }: Options = {}): Pictures {
  let running = 0
  const queue: (() => void)[] = []

  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (queue.length >= waiting) throw new Refusal('busy', { retryAfter: 5 })
    if (running >= atOnce) await new Promise<void>(resolve => queue.push(resolve))
    else running++
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }

  return {
    async portrait(file, field) {
      // By the first bytes alone: what a file is called and says it is proves nothing.
      const kind = kindOf(file)
      if (!kind) throw new Refusal('file_type', { field })
      const { code, bytes } = await inTurn(() => draw(file, kind, timeoutMs))
      if (code === tooManyPixels) throw new Refusal('picture_too_large', { field })
      if (code !== 0 || kindOf(bytes) !== kind)
        throw new Refusal(
          'picture_broken',
          { field },
          code === broken ? undefined : new Error(`ended with ${code}`),
        )
      return { kind, bytes }
    },
  }
}

const program = fileURLToPath(new URL('./process.ts', import.meta.url))

function draw(
  file: Buffer,
  kind: PictureKind,
  timeoutMs: number,
): Promise<{ code: number | null; bytes: Buffer }> {
  const drawing = spawn(process.execPath, ['--max-old-space-size=128', program, kind], {
    // Nothing of ours: neither secrets nor what preloads into a Node.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const chunks: Buffer[] = []
  drawing.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  // It may end before it has read everything; its exit tells why.
  drawing.stdin.on('error', () => {})
  drawing.stdin.end(file)
  return new Promise((resolve, reject) => {
    drawing.on('error', reject)
    drawing.on('close', code => resolve({ code, bytes: Buffer.concat(chunks) }))
  })
}
