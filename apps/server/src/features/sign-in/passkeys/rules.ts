/** How many passkeys one user may have: a few devices, each with a few browsers. */
export const most = 20

/** How long a browser may take to make or to show a passkey: a phone may have to be fetched. */
export const minutes = 5

/** ES256, EdDSA and RS256: one of them is spoken by every authenticator. */
export const algorithms = [-7, -8, -257]

/** What people keep passkeys in, as their makers call it. For names only: anybody may claim to be any of them. */
const keepers: Record<string, string> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge on Mac',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  'f3809540-7f14-49c1-a8b3-8f813b225541': 'Enpass',
}

/** The first that fits: an iPad calls itself a Mac in places, and an Android phone a Linux. */
const devices: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

/**
 * What a passkey without a name is called after: who keeps it; else the device, if it is in there; null for a key that
 * is somewhere else.
 */
export function keeperOf(seen: { aaguid: string; transports: string[]; userAgent: string }): string | null {
  const keeper = keepers[seen.aaguid]
  if (keeper) return keeper
  if (!seen.transports.includes('internal')) return null
  return devices.find(([pattern]) => pattern.test(seen.userAgent))?.[1] ?? null
}
