import type { World } from '../../context.ts'

export async function settleAttempt(_world: World, _data: { account_id: string; attempt_id: string }) {}
export async function handleNotice(_world: World, _data: { notice_id: string }) {}
