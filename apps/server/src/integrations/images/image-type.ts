/** Accepted and stored image types, by file extension. */
export type ImageType = 'png' | 'jpg'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff])

export function detectImageType(file: Buffer): ImageType | null {
  if (file.subarray(0, png.length).equals(png)) return 'png'
  if (file.subarray(0, jpeg.length).equals(jpeg)) return 'jpg'
  return null
}
