/** Whether this browser knows passkeys at all. It does so on https and on localhost alone. */
export const passkeysSupported = () => 'PublicKeyCredential' in window && 'credentials' in navigator
