import { AwsClient } from 'aws4fetch'
import type { Storage } from './types.ts'

export type S3Options = {
  /** Without a path. The bucket is put into the path, which every provider and every stand-in understands. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const timeoutMs = 10_000

/** Files in any storage that speaks S3. Its bucket stays closed: the server hands the files out. */
export function openS3({ endpoint, bucket, ...key }: S3Options): Storage {
  // Tries of our own callers are enough; a person waits for some of them.
  const client = new AwsClient({ ...key, service: 's3', retries: 0 })
  const ask = async (key: string, init: RequestInit) => {
    const answer = await client.fetch(`${endpoint}/${bucket}/avatars/${key}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok && answer.status !== 404) {
      // Its body may say more than a log should keep.
      await answer.body?.cancel()
      throw new Error(`The file storage answered ${answer.status}`)
    }
    return answer
  }
  const discardBody = async (answer: Response) => {
    await answer.body?.cancel()
    return answer
  }
  return {
    async put(key, bytes, type) {
      const body = new Uint8Array(bytes)
      const headers = { 'content-type': type, 'content-length': String(body.byteLength) }
      const { status } = await discardBody(await ask(key, { method: 'PUT', body, headers }))
      // No such bucket.
      if (status === 404) throw new Error('The file storage answered 404')
    },
    async get(key) {
      const answer = await ask(key, {})
      if (answer.status !== 404) return Buffer.from(await answer.arrayBuffer())
      await discardBody(answer)
      return null
    },
    async remove(key) {
      await discardBody(await ask(key, { method: 'DELETE' }))
    },
    // A file is there whole or not at all.
    async removeUnfinished() {},
  }
}
