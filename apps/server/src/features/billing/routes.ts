import type { Server } from '../../http/mount.ts'

export function billingRoutes(_server: Server) {}
