/** Whether this browser supports passkeys. It does so only on https and localhost. */
export const passkeysSupported = () => 'PublicKeyCredential' in window && 'credentials' in navigator
