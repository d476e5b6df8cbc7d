declare module 'punycode/punycode.es6.js' {
  /** RFC 3492. Throws where the text is no Punycode. */
  export function decode(text: string): string
}
