/** A promotion code for the sandbox only: with the real provider it would give money away. */
export const demoCode = { text: 'WELCOME20', percentOff: 20 }
