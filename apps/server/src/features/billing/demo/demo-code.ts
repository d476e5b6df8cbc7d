/** A promotion code to try, in the sandbox alone: in an account of the provider it would give real money away. */
export const demoCode = { text: 'WELCOME20', percentOff: 20 }
