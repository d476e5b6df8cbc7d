import { ConfigError } from '../config.ts'

/** Why the server can't listen, with the name of the variable to change. */
export function whyNotListening(error: Error & { code?: string; port?: number; address?: string }): Error {
  const { code, port, address } = error
  if (code === 'EADDRINUSE')
    return new ConfigError(
      `PORT: ${port} is taken on ${address}. Stop what listens there, or choose another one.`,
    )
  if (code === 'EACCES')
    return new ConfigError(`PORT: expected one that this user may listen on, not ${port}`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ConfigError(
      `HOST: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0 (${code})`,
    )
  return error
}
