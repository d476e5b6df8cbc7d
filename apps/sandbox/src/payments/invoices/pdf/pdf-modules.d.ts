/** Types for two packages without their own. */
declare module 'fontkit' {
  export type Glyph = { advanceWidth: number; path: { toSVG(): string } }
  export type Font = { unitsPerEm: number; layout(text: string): { glyphs: Glyph[] } }
  export function create(font: Buffer): Font & { getVariation(settings: { wght: number }): Font }
}
declare module 'wawoff2' {
  export function decompress(font: Buffer): Promise<Uint8Array>
}
