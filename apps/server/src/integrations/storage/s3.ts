import { AwsClient } from 'aws4fetch'
import type { Storage } from './types.ts'

export type S3Options = {
  /** Without a path. The bucket becomes part of the path, which all S3 servers support. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const timeoutMs = 10_000

/** Stores files in an S3 bucket. The bucket stays private: the server delivers the files. */
export function openS3({ endpoint, bucket, ...key }: S3Options): Storage {
  // No retries here: callers retry, and users wait for some calls.
  const client = new AwsClient({ ...key, service: 's3', retries: 0 })
  const ask = async (key: string, init: RequestInit) => {
    const answer = await client.fetch(`${endpoint}/${bucket}/avatars/${key}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok && answer.status !== 404) {
      // The body may contain details that must not be logged.
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
      // The bucket does not exist.
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
    // S3 stores a file completely or not at all.
    async removeUnfinished() {},
  }
}
