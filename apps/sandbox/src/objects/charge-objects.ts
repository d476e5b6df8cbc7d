import type { Base } from './base.ts'

/** A successful payment; failed attempts create no charge here. */
export interface Charge extends Base {
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  captured: boolean
  currency: string
  customer: string | null
  disputed: boolean
  paid: boolean
  payment_intent: string
  payment_method: string | null
  refunded: boolean
  status: 'failed' | 'pending' | 'succeeded'
}

export interface Refund extends Base {
  object: 'refund'
  amount: number
  charge: string | null
  currency: string
  customer: string | null
  payment_intent: string | null
  reason: string | null
  status: 'succeeded'
  metadata: Record<string, string>
}

export interface Dispute extends Base {
  object: 'dispute'
  amount: number
  charge: string
  currency: string
  is_charge_refundable: boolean
  metadata: Record<string, string>
  payment_intent: string
  reason: string
  status: 'lost' | 'needs_response' | 'under_review' | 'won'
}

export interface CreditNote extends Base {
  object: 'credit_note'
  amount: number
  currency: string
  customer: string
  effective_at: number | null
  invoice: string
  memo: string | null
  number: string
  out_of_band_amount: number | null
  post_payment_amount: number
  pre_payment_amount: number
  reason: string | null
  refunds: unknown[]
  status: 'issued' | 'void'
  subtotal: number
  total: number
  type: 'mixed' | 'post_payment' | 'pre_payment'
}
