import type { Server } from '../../http/mount.ts'

export function teamRoutes(_server: Server) {}
