import type { Contract, Reply } from '@plinth/contract'

export type Demo = Reply<Contract['dashboard']['demo']>
