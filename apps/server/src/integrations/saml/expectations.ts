/** We, as one connection's provider knows us. */
export type ServiceProvider = { entityId: string; acsUrl: string }

/** What a response must match to be meant for us, for this request and for now. */
export type Expected = ServiceProvider & { idpEntityId: string; requestId: string; now: Date }
