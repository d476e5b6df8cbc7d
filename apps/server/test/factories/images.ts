import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A photo with private metadata: location, camera and description. */
export const photoWithExif = (width = 640, height = 480) =>
  sharp({ create: { width, height, channels: 3, background: '#16766d' } })
    .jpeg()
    .withExif({
      IFD0: { Make: 'CANARY-CAMERA', ImageDescription: 'CANARY-WORDS' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '38/1 43/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '9/1 8/1 0/1',
      },
    })
    .toBuffer()

export const pngImage = (width = 300, height = 300) =>
  sharp({ create: { width, height, channels: 4, background: { r: 22, g: 118, b: 109, alpha: 0.5 } } })
    .png()
    .toBuffer()

/** One chunk of a PNG file, with its checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A decompression bomb: a small PNG file with very large dimensions. */
export function decompressionBomb(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Grey, one bit per pixel.
  head.set([1, 0, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows))
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** The same image with a text chunk before its end. */
export function withTextChunk(png: Buffer, words: string): Buffer {
  const end = png.length - 12
  return Buffer.concat([
    png.subarray(0, end),
    chunk('tEXt', Buffer.from(`Comment\0${words}`)),
    png.subarray(end),
  ])
}

/** A ZIP archive, which may follow an image because it is read from its end. */
export function zipArchive(name: string, text: string): Buffer {
  const data = deflateRawSync(Buffer.from(text))
  const local = Buffer.alloc(30)
  local.write('PK\x03\x04', 0, 'latin1')
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(crc32(text), 14)
  local.writeUInt32LE(data.length, 18)
  local.writeUInt32LE(text.length, 22)
  local.writeUInt16LE(name.length, 26)
  return Buffer.concat([local, Buffer.from(name), data])
}

type Part = { name: string; value: string | Buffer; filename?: string; type?: string }

/** A multipart/form-data body. */
export function multipartBody(parts: Part[], boundary = 'plinth-test-boundary') {
  const pieces = parts.flatMap(({ name, value, filename, type }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '\r\n\r\n' : `\r\ncontent-type: ${type}\r\n\r\n`,
    value,
    '\r\n',
  ])
  return {
    body: Buffer.concat([...pieces, `--${boundary}--\r\n`].map(piece => Buffer.from(piece))),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
