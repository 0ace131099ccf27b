/** Types of requests and answers, made of `functions/openapi.json` by openapi-typescript. */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledgers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLedgers"];
        put?: never;
        post: operations["createLedger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledgers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLedger"];
        put: operations["updateLedger"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOwnLedger"];
        put: operations["updateOwnLedger"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addOwnLedgerProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkOwnLedgerAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOwnLedgerChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOwnLedgerChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOwnLedgerChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSigners"];
        put?: never;
        post: operations["createSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSigner"];
        put: operations["updateSigner"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSignerProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSignerAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSignerChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSignerChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSignerChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSignerFactors"];
        put?: never;
        post: operations["createSignerFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSignerFactor"];
        put: operations["updateSignerFactor"];
        post?: never;
        delete: operations["dropSignerFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSignerFactorProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSignerFactorAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSignerFactorChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSignerFactorChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSignerFactorChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signers/{signer}/factors/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropSignerFactorByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSymbols"];
        put?: never;
        post: operations["createSymbol"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSymbol"];
        put: operations["updateSymbol"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSymbolProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSymbolAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSymbolChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSymbolChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSymbolChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols/{id}/supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSymbolSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWallets"];
        put?: never;
        post: operations["createWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWallet"];
        put: operations["updateWallet"];
        post?: never;
        delete: operations["dropWallet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addWalletProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkWalletAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWalletChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWalletChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropWalletByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/anchors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletAnchors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/anchors/!lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["lookUpWalletAnchors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balances/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["sumBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIntents"];
        put?: never;
        post: operations["createIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/!batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["batchIntents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/!preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addIntentProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkIntentAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readIntentReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIntentChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readIntentChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readIntentChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intents/{id}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["signIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEffects"];
        put?: never;
        post: operations["createEffect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEffect"];
        put: operations["updateEffect"];
        post?: never;
        delete: operations["dropEffect"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addEffectProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkEffectAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEffectChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEffectChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEffectChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropEffectByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEffectEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/events/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEffectEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/events/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryEffectEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/effects/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["activateEffect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCircles"];
        put?: never;
        post: operations["createCircle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readCircle"];
        put: operations["updateCircle"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addCircleProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkCircleAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCircleChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readCircleChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readCircleChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCircleSigners"];
        put?: never;
        post: operations["createCircleSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/signers/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readCircleSigner"];
        put?: never;
        post?: never;
        delete: operations["dropCircleSigner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/circles/{id}/signers/{link}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropCircleSignerByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBridges"];
        put?: never;
        post: operations["createBridge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBridge"];
        put: operations["updateBridge"];
        post?: never;
        delete: operations["dropBridge"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addBridgeProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkBridgeAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBridgeChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBridgeChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBridgeChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropBridgeByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBridgeEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/events/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBridgeEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/events/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryBridgeEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bridges/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["activateBridge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDomains"];
        put?: never;
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDomain"];
        put: operations["updateDomain"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addDomainProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkDomainAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDomainChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDomainChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDomainChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAnchors"];
        put?: never;
        post: operations["createAnchor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readAnchor"];
        put: operations["updateAnchor"];
        post?: never;
        delete: operations["dropAnchor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addAnchorProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkAnchorAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAnchorChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readAnchorChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readAnchorChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anchors/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropAnchorByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSchemas"];
        put?: never;
        post: operations["createSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSchema"];
        put: operations["updateSchema"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSchemaProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSchemaAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSchemaChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSchemaChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSchemaChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPolicies"];
        put?: never;
        post: operations["createPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPolicy"];
        put: operations["updatePolicy"];
        post?: never;
        delete: operations["dropPolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addPolicyProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkPolicyAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPolicyChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPolicyChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPolicyChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropPolicyByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["giveToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTokenKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReports"];
        put?: never;
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readReport"];
        put?: never;
        post?: never;
        delete: operations["dropReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addReportProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/access/!check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkReportAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReportChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readReportChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/changes/{change}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readReportChangeReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dropReportByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/assets/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readReportAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{part1}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{part1}/{part2}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogTileOfTwoParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{part1}/{part2}/{part3}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogTileOfThreeParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/tile/{level}/{part1}/{part2}/{part3}/{part4}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogTileOfFourParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readLogConsistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/app.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readConsoleScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/app.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readConsoleStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/concepts/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readConcept"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/recipes/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readRecipe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDocsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    postEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header: {
                    "webhook-id": components["parameters"]["webhook-id"];
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LedgerEvent"] | components["schemas"]["SignerEvent"] | components["schemas"]["SymbolEvent"] | components["schemas"]["WalletEvent"] | components["schemas"]["IntentEvent"] | components["schemas"]["EffectEvent"] | components["schemas"]["SignerFactorEvent"] | components["schemas"]["CircleEvent"] | components["schemas"]["CircleSignerEvent"] | components["schemas"]["BridgeEvent"] | components["schemas"]["DomainEvent"] | components["schemas"]["AnchorEvent"] | components["schemas"]["SchemaEvent"] | components["schemas"]["PolicyEvent"] | components["schemas"]["ReportEvent"] | components["schemas"]["BridgeEntryEvent"] | components["schemas"]["BalanceReceivedEvent"] | components["schemas"]["WalletLimitedEvent"] | components["schemas"]["BalanceCrossedEvent"];
                };
            };
            responses: {
                410: components["responses"]["event.410"];
                501: components["responses"]["event.501"];
                "2XX": components["responses"]["event.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    prepareDebit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PrepareCall"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    prepareCredit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PrepareCall"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    commitDebit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionCall"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    commitCredit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionCall"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    abortDebit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionCall"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    abortCredit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionCall"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    publishIntentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Intent"];
                };
            };
            responses: {
                501: components["responses"]["call.501"];
                "2XX": components["responses"]["call.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    sendEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LedgerEvent"] | components["schemas"]["SignerEvent"] | components["schemas"]["SymbolEvent"] | components["schemas"]["WalletEvent"] | components["schemas"]["IntentEvent"] | components["schemas"]["EffectEvent"] | components["schemas"]["SignerFactorEvent"] | components["schemas"]["CircleEvent"] | components["schemas"]["CircleSignerEvent"] | components["schemas"]["BridgeEvent"] | components["schemas"]["DomainEvent"] | components["schemas"]["AnchorEvent"] | components["schemas"]["SchemaEvent"] | components["schemas"]["PolicyEvent"] | components["schemas"]["ReportEvent"] | components["schemas"]["BridgeEntryEvent"] | components["schemas"]["BalanceReceivedEvent"] | components["schemas"]["WalletLimitedEvent"] | components["schemas"]["BalanceCrossedEvent"];
                };
            };
            responses: {
                410: components["responses"]["event.410"];
                501: components["responses"]["event.501"];
                "2XX": components["responses"]["event.2XX"];
                default: components["responses"]["sent.default"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessRule: {
            action: ("any" | "access" | "create" | "read" | "query" | "update" | "drop" | "lookup" | "assign-signer" | "remove-signer" | "issue" | "destroy" | "spend" | "limit" | "commit" | "abort" | "activate" | "retry-event" | "manage") | {
                $in: ("any" | "access" | "create" | "read" | "query" | "update" | "drop" | "lookup" | "assign-signer" | "remove-signer" | "issue" | "destroy" | "spend" | "limit" | "commit" | "abort" | "activate" | "retry-event" | "manage")[];
            };
            record?: ("any" | "ledger" | "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "schema" | "policy" | "report" | "ledger-proof" | "signer-proof" | "symbol-proof" | "wallet-proof" | "intent-proof" | "effect-proof" | "signer-factor-proof" | "circle-proof" | "circle-signer-proof" | "bridge-proof" | "domain-proof" | "anchor-proof" | "schema-proof" | "policy-proof" | "report-proof") | {
                $in: ("any" | "ledger" | "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "schema" | "policy" | "report" | "ledger-proof" | "signer-proof" | "symbol-proof" | "wallet-proof" | "intent-proof" | "effect-proof" | "signer-factor-proof" | "circle-proof" | "circle-signer-proof" | "bridge-proof" | "domain-proof" | "anchor-proof" | "schema-proof" | "policy-proof" | "report-proof")[];
            };
            signer?: components["schemas"]["SignerMatcher"];
            bearer?: components["schemas"]["BearerMatcher"];
            /** @enum {string} */
            invoke?: "wallet.canSpendAllChangedRouteTargets" | "intent.canReadAnyClaimWallet" | "intent.canReadAnyClaimWalletInThread" | "intent.canSpendEveryClaimWallet" | "intent.canSpendAnyClaimWallet" | "intent.canSpendAnyClaimWalletInThread";
            filter?: {
                [key: string]: unknown;
            };
            change?: {
                [key: string]: unknown;
            };
        } | {
            policy: components["schemas"]["Handle"] | {
                $in: components["schemas"]["Handle"][];
            };
        };
        AllBalanceList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Balance"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Anchor: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["AnchorData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        AnchorChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["AnchorData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        AnchorChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["AnchorChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        AnchorData: {
            handle: components["schemas"]["Handle"];
            target: components["schemas"]["Handle"] | {
                handle: components["schemas"]["Handle"];
                custom?: components["schemas"]["Custom"];
            };
            wallet?: components["schemas"]["Handle"];
            symbol?: components["schemas"]["Handle"];
            source?: components["schemas"]["Handle"] | {
                handle: components["schemas"]["Handle"];
                custom?: components["schemas"]["Custom"];
            };
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        AnchorEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "anchor-created" | "anchor-updated" | "anchor-proofs-added" | "anchor-dropped";
                anchor: components["schemas"]["Anchor"];
            };
        };
        AnchorList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Anchor"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Balance: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: {
                wallet: components["schemas"]["Handle"];
                symbol: components["schemas"]["Handle"];
                /** @enum {string} */
                schema: "available" | "reserved";
                amount: number;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        BalanceCrossedEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "balance-crossed";
                effect: components["schemas"]["Effect"];
                balance: {
                    wallet: string;
                    symbol: string;
                    threshold: number;
                    /** @enum {string} */
                    direction: "below" | "above";
                    available: number | string;
                };
                intent?: {
                    luid: string;
                    handle: string;
                };
            };
        };
        BalanceList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Balance"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        BalanceReceivedEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "balance-received";
                intent: components["schemas"]["Intent"];
                wallet: components["schemas"]["Wallet"] | string;
                symbol: components["schemas"]["Symbol"] | string;
                amount: number | string;
            };
        };
        BatchedIntent: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["IntentData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                thread?: string;
                waiting?: {
                    /** @enum {string} */
                    for: "moment" | "signatures" | "decision" | "bridge";
                    /** Format: date-time */
                    from?: string;
                    /** Format: date-time */
                    until?: string;
                    entry?: string;
                    bridge?: string;
                    /** @enum {string} */
                    action?: "prepare" | "commit" | "abort" | "status";
                    /** Format: date-time */
                    since?: string;
                    status?: string;
                    attempts?: number;
                    /** Format: date-time */
                    next?: string;
                    reason?: unknown;
                    detail?: unknown;
                }[];
                leaf?: number;
                /** @constant */
                isShortened?: true;
            };
            status: number;
        };
        BearerMatcher: {
            iss?: components["schemas"]["Fact"];
            sub?: components["schemas"]["Fact"];
            aud?: components["schemas"]["Fact"];
            hsh?: boolean;
            $signer?: components["schemas"]["SignerMatcher"];
            $in?: components["schemas"]["BearerMatcher"][];
        };
        Bridge: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["BridgeData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        BridgeChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["BridgeData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        BridgeChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["BridgeChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        BridgeData: {
            /** @constant */
            schema?: "rest";
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            handle: components["schemas"]["Handle"];
            config: {
                server: string;
                /** @enum {string} */
                "debits.claims.groupBy"?: "address" | "wallet";
                /** @enum {string} */
                "credits.claims.groupBy"?: "address" | "wallet";
            };
            traits?: (("debits" | "credits" | "statuses" | "anchors" | "domains" | "effects") | {
                /** @enum {string} */
                method: "debits" | "credits" | "statuses" | "anchors" | "domains" | "effects";
                filter?: {
                    [key: string]: unknown;
                };
            })[];
            secure?: ({
                /** @constant */
                schema: "header";
                key: string;
                value: string;
            } | {
                /** @constant */
                schema: "oauth2";
                clientId: string;
                clientSecret: string;
                tokenUrl: string;
                scope?: string;
            })[];
            parent?: components["schemas"]["Hash"];
        };
        BridgeEntry: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                luid: string;
                /** @enum {string} */
                schema: "debit" | "credit";
                amount: number;
                symbol: {
                    handle: string;
                };
                source?: {
                    handle: string;
                    custom?: components["schemas"]["Custom"];
                };
                target?: {
                    handle: string;
                    custom?: components["schemas"]["Custom"];
                };
                custom?: components["schemas"]["Custom"];
                inputs: number[];
                intent: components["schemas"]["Intent"];
                bridge: {
                    handle: string;
                };
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** @enum {string} */
                status: "pending" | "prepared" | "failed" | "committing" | "aborting" | "committed" | "aborted";
                /** Format: date-time */
                moment: string;
                domain?: string;
            };
        };
        BridgeEntryEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "bridge-entry-created" | "bridge-entry-updated" | "bridge-entry-proofs-added";
                "bridge-entry": components["schemas"]["BridgeEntry"];
                proof?: components["schemas"]["Proof"];
            };
        };
        BridgeEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "bridge-created" | "bridge-updated" | "bridge-proofs-added" | "bridge-dropped";
                bridge: components["schemas"]["Bridge"];
            };
        };
        BridgeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Bridge"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Check: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                action: "any" | "access" | "create" | "read" | "query" | "update" | "drop" | "lookup" | "assign-signer" | "remove-signer" | "issue" | "destroy" | "spend" | "limit" | "commit" | "abort" | "activate" | "retry-event" | "manage";
                /** @enum {string} */
                record?: "any" | "ledger" | "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "schema" | "policy" | "report" | "ledger-proof" | "signer-proof" | "symbol-proof" | "wallet-proof" | "intent-proof" | "effect-proof" | "signer-factor-proof" | "circle-proof" | "circle-signer-proof" | "bridge-proof" | "domain-proof" | "anchor-proof" | "schema-proof" | "policy-proof" | "report-proof";
                explain?: boolean;
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        Circle: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["CircleData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        CircleChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["CircleData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        CircleChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["CircleChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        CircleData: {
            handle: components["schemas"]["Handle"];
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        CircleEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "circle-created" | "circle-updated" | "circle-proofs-added";
                circle: components["schemas"]["Circle"];
            };
        };
        CircleList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Circle"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        CircleSigner: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["CircleSignerData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        CircleSignerData: {
            circle: components["schemas"]["Handle"];
            signer: components["schemas"]["Handle"];
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        CircleSignerEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "circle-signer-created" | "circle-signer-dropped";
                "circle-signer": components["schemas"]["CircleSigner"];
            };
        };
        CircleSignerList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["CircleSigner"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        CountedPage: {
            index: number;
            limit: number;
            next?: string;
            total: number;
        };
        CreateAnchor: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                target: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                wallet?: components["schemas"]["Handle"];
                symbol?: components["schemas"]["Handle"];
                source?: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateBridge: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @constant */
                schema?: "rest";
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                handle: components["schemas"]["Handle"];
                config: {
                    server: string;
                    /** @enum {string} */
                    "debits.claims.groupBy"?: "address" | "wallet";
                    /** @enum {string} */
                    "credits.claims.groupBy"?: "address" | "wallet";
                };
                traits?: (("debits" | "credits" | "statuses" | "anchors" | "domains" | "effects") | {
                    /** @enum {string} */
                    method: "debits" | "credits" | "statuses" | "anchors" | "domains" | "effects";
                    filter?: {
                        [key: string]: unknown;
                    };
                })[];
                secure?: ({
                    /** @constant */
                    schema: "header";
                    key: string;
                    value: string;
                } | {
                    /** @constant */
                    schema: "oauth2";
                    clientId: string;
                    clientSecret: string;
                    tokenUrl: string;
                    scope?: string;
                })[];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
                secret?: {
                    [key: string]: string;
                };
            } & {
                [key: string]: unknown;
            };
        };
        CreateCircle: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateCircleSigner: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                circle: components["schemas"]["Handle"];
                signer: components["schemas"]["Handle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateDomain: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["LedgerHandle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateEffect: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                /** @enum {string} */
                signal: "ledger-created" | "ledger-updated" | "ledger-proofs-added" | "signer-created" | "signer-updated" | "signer-proofs-added" | "symbol-created" | "symbol-updated" | "symbol-proofs-added" | "wallet-created" | "wallet-updated" | "wallet-proofs-added" | "wallet-dropped" | "intent-created" | "intent-updated" | "intent-proofs-added" | "effect-created" | "effect-updated" | "effect-proofs-added" | "effect-dropped" | "signer-factor-created" | "signer-factor-updated" | "signer-factor-proofs-added" | "signer-factor-dropped" | "circle-created" | "circle-updated" | "circle-proofs-added" | "circle-signer-created" | "circle-signer-dropped" | "bridge-created" | "bridge-updated" | "bridge-proofs-added" | "bridge-dropped" | "domain-created" | "domain-updated" | "domain-proofs-added" | "anchor-created" | "anchor-updated" | "anchor-proofs-added" | "anchor-dropped" | "schema-created" | "schema-updated" | "schema-proofs-added" | "policy-created" | "policy-updated" | "policy-proofs-added" | "policy-dropped" | "report-created" | "report-proofs-added" | "report-dropped" | "bridge-entry-created" | "bridge-entry-updated" | "bridge-entry-proofs-added" | "balance-received" | "wallet-limited" | "balance-crossed";
                filter?: {
                    [key: string]: unknown;
                };
                balance?: {
                    wallet: components["schemas"]["Handle"];
                    symbol: components["schemas"]["Handle"];
                    threshold: number;
                    /** @enum {string} */
                    direction?: "below" | "above";
                };
                action: {
                    /** @constant */
                    schema: "webhook";
                    endpoint: string;
                } | {
                    /** @constant */
                    schema: "bridge";
                    bridge: components["schemas"]["Handle"];
                };
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            } & unknown;
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateIntent: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                claims: ({
                    /** @constant */
                    action: "issue";
                    target: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    symbol: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    amount: number;
                    custom?: components["schemas"]["Custom"];
                } | {
                    /** @constant */
                    action: "transfer";
                    source: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    target: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    symbol: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    amount: number;
                    custom?: components["schemas"]["Custom"];
                } | {
                    /** @constant */
                    action: "destroy";
                    source: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    symbol: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    amount: number;
                    custom?: components["schemas"]["Custom"];
                } | ({
                    /** @constant */
                    action: "limit";
                    wallet: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    symbol: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    custom?: components["schemas"]["Custom"];
                    /** @constant */
                    metric: "minBalance";
                    amount: number;
                } | {
                    /** @constant */
                    action: "limit";
                    wallet: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    symbol: components["schemas"]["Handle"] | {
                        handle: components["schemas"]["Handle"];
                        custom?: components["schemas"]["Custom"];
                    };
                    custom?: components["schemas"]["Custom"];
                    /** @enum {string} */
                    metric: "maxBalance" | "dailyCount" | "dailyAmount";
                    amount: number;
                }))[];
                config?: {
                    /** @enum {string} */
                    commit?: "auto" | "manual";
                    /** Format: date-time */
                    expiry?: string;
                    /** Format: date-time */
                    notBefore?: string;
                };
                reverses?: components["schemas"]["Handle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateIntentBatch: {
            data: components["schemas"]["CreateIntent"][];
            /** @enum {string} */
            mode: "independent" | "atomic";
        };
        CreateLedger: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["LedgerHandle"];
                signer?: components["schemas"]["Handle"];
                config?: {
                    "intent.expiryThresholdMinutes"?: number;
                    "intent.expiryMaxMinutes"?: number;
                    "anchor.walletRequired"?: boolean;
                    "proof.maxAgeSeconds"?: number;
                    /** @enum {string} */
                    "access.strategy"?: "record-based" | "policy-based";
                    "limits.aggregated.enabled"?: boolean;
                    "log.witnesses"?: {
                        key: string;
                        url: string;
                    }[];
                    "oauth.provider"?: components["schemas"]["Handle"];
                    "oauth.tokenSeconds"?: number;
                } & {
                    [key: string]: unknown;
                };
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreatePolicy: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                schema: "access" | "status" | "labels";
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                handle: components["schemas"]["Handle"];
                /** @enum {string} */
                record: "any" | "ledger" | "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "schema" | "policy" | "report" | "ledger-proof" | "signer-proof" | "symbol-proof" | "wallet-proof" | "intent-proof" | "effect-proof" | "signer-factor-proof" | "circle-proof" | "circle-signer-proof" | "bridge-proof" | "domain-proof" | "anchor-proof" | "schema-proof" | "policy-proof" | "report-proof";
                values: {
                    [key: string]: unknown;
                }[];
                filter?: {
                    [key: string]: unknown;
                };
                extend?: components["schemas"]["Handle"] | components["schemas"]["Handle"][];
            } & (unknown & unknown & unknown);
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateReport: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            } & (unknown & unknown);
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateSchema: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                /** @enum {string} */
                record: "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "policy" | "report";
                /** @constant */
                format: "json-schema";
                schema: {
                    [key: string]: unknown;
                };
                extend?: components["schemas"]["Handle"];
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateSigner: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                public?: string;
                /** @constant */
                format?: "ed25519-raw";
                secret?: string;
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateSignerFactor: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                schema?: "key-pair" | "oauth-client-credentials";
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                handle: components["schemas"]["Handle"];
                signer: components["schemas"]["Handle"];
                public?: string;
                /** @enum {string} */
                format?: "ed25519-raw" | "rsa-2048";
                secret?: string;
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateSymbol: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                /** @enum {number} */
                factor: 1 | 10 | 100 | 1000 | 10000 | 100000 | 1000000 | 10000000 | 100000000 | 1000000000 | 10000000000 | 100000000000 | 1000000000000 | 10000000000000 | 100000000000000 | 1000000000000000;
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        CreateWallet: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                bridge?: components["schemas"]["Handle"];
                routes?: ({
                    /** @constant */
                    action: "accept";
                    filter?: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @enum {string} */
                    action: "credit" | "debit" | "forward";
                    filter?: {
                        [key: string]: unknown;
                    };
                    target: components["schemas"]["Handle"];
                })[];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        Custom: {
            [key: string]: unknown;
        };
        DecisionCall: {
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                /** @enum {string} */
                action: "commit" | "abort";
                intent: components["schemas"]["Intent"];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Delivery: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                effect?: string;
                bridge?: string;
                entry?: string;
                /** @enum {string} */
                action?: "prepare" | "commit" | "abort" | "status";
                record: {
                    luid?: string;
                    hash: components["schemas"]["Hash"];
                    data: {
                        handle: string;
                        signal?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                        /** Format: date-time */
                        moment?: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
                linked: string;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** @enum {string} */
                status: "pending" | "running" | "delivered" | "failed" | "cancelled";
                /** Format: date-time */
                moment: string;
                replay: number;
                output?: components["schemas"]["Custom"];
            };
        };
        DeliveryList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Delivery"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Domain: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["DomainData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        DomainChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["DomainData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        DomainChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["DomainChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        DomainData: {
            handle: components["schemas"]["LedgerHandle"];
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        DomainEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "domain-created" | "domain-updated" | "domain-proofs-added";
                domain: components["schemas"]["Domain"];
            };
        };
        DomainList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Domain"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Drop: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: ({
                    /** @constant */
                    method: "ed25519-v2";
                    public: string;
                    digest: components["schemas"]["Hash"];
                    result: string;
                    custom: {
                        /** @constant */
                        status: "dropped";
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
        };
        Effect: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["EffectData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        EffectChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["EffectData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        EffectChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["EffectChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        EffectData: {
            handle: components["schemas"]["Handle"];
            /** @enum {string} */
            signal: "ledger-created" | "ledger-updated" | "ledger-proofs-added" | "signer-created" | "signer-updated" | "signer-proofs-added" | "symbol-created" | "symbol-updated" | "symbol-proofs-added" | "wallet-created" | "wallet-updated" | "wallet-proofs-added" | "wallet-dropped" | "intent-created" | "intent-updated" | "intent-proofs-added" | "effect-created" | "effect-updated" | "effect-proofs-added" | "effect-dropped" | "signer-factor-created" | "signer-factor-updated" | "signer-factor-proofs-added" | "signer-factor-dropped" | "circle-created" | "circle-updated" | "circle-proofs-added" | "circle-signer-created" | "circle-signer-dropped" | "bridge-created" | "bridge-updated" | "bridge-proofs-added" | "bridge-dropped" | "domain-created" | "domain-updated" | "domain-proofs-added" | "anchor-created" | "anchor-updated" | "anchor-proofs-added" | "anchor-dropped" | "schema-created" | "schema-updated" | "schema-proofs-added" | "policy-created" | "policy-updated" | "policy-proofs-added" | "policy-dropped" | "report-created" | "report-proofs-added" | "report-dropped" | "bridge-entry-created" | "bridge-entry-updated" | "bridge-entry-proofs-added" | "balance-received" | "wallet-limited" | "balance-crossed";
            filter?: {
                [key: string]: unknown;
            };
            balance?: {
                wallet: components["schemas"]["Handle"];
                symbol: components["schemas"]["Handle"];
                threshold: number;
                /** @enum {string} */
                direction?: "below" | "above";
            };
            action: {
                /** @constant */
                schema: "webhook";
                endpoint: string;
            } | {
                /** @constant */
                schema: "bridge";
                bridge: components["schemas"]["Handle"];
            };
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        EffectEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "effect-created" | "effect-updated" | "effect-proofs-added" | "effect-dropped";
                effect: components["schemas"]["Effect"];
            };
        };
        EffectList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Effect"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Entry: {
            hash: components["schemas"]["Hash"];
            data: {
                handle?: string;
                wallet: components["schemas"]["Handle"];
                symbol: components["schemas"]["Handle"];
                /** @enum {string} */
                schema: "debit" | "credit" | "reserve" | "release";
                amount: number;
                balance: number;
                reserved?: number;
                /** Format: date-time */
                moment: string;
                intent: {
                    handle: components["schemas"]["Handle"];
                    luid: string;
                };
                inputs: number[];
                counterparty?: components["schemas"]["Handle"];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        EntryBalance: {
            hash: components["schemas"]["Hash"];
            data: {
                wallet: components["schemas"]["Handle"];
                symbol: components["schemas"]["Handle"];
                /** @enum {string} */
                schema: "opening" | "closing";
                balance: number;
                reserved: number;
                available: number;
                /** Format: date-time */
                moment: string;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        EntryList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Entry"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                opening: components["schemas"]["EntryBalance"];
                closing: components["schemas"]["EntryBalance"];
            };
        };
        Error: {
            hash?: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                reason: "api.body-malformed" | "api.method-not-allowed" | "api.query-malformed" | "api.rate-limit-exceeded" | "api.request-timeout" | "api.route-not-found" | "api.unexpected-error" | "auth.forbidden" | "auth.unauthorized" | "crypto.hash-invalid" | "crypto.parent-hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.drop-rejected" | "record.duplicated" | "record.invalid" | "record.labels-policy-violation" | "record.not-found" | "record.relation-not-found" | "record.schema-invalid" | "record.status-policy-violation" | "record.update-rejected";
                detail: string;
                custom?: components["schemas"]["Custom"];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Event: {
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                /** @enum {string} */
                signal: "ledger-created" | "ledger-updated" | "ledger-proofs-added" | "signer-created" | "signer-updated" | "signer-proofs-added" | "symbol-created" | "symbol-updated" | "symbol-proofs-added" | "wallet-created" | "wallet-updated" | "wallet-proofs-added" | "wallet-dropped" | "intent-created" | "intent-updated" | "intent-proofs-added" | "effect-created" | "effect-updated" | "effect-proofs-added" | "effect-dropped" | "signer-factor-created" | "signer-factor-updated" | "signer-factor-proofs-added" | "signer-factor-dropped" | "circle-created" | "circle-updated" | "circle-proofs-added" | "circle-signer-created" | "circle-signer-dropped" | "bridge-created" | "bridge-updated" | "bridge-proofs-added" | "bridge-dropped" | "domain-created" | "domain-updated" | "domain-proofs-added" | "anchor-created" | "anchor-updated" | "anchor-proofs-added" | "anchor-dropped" | "schema-created" | "schema-updated" | "schema-proofs-added" | "policy-created" | "policy-updated" | "policy-proofs-added" | "policy-dropped" | "report-created" | "report-proofs-added" | "report-dropped" | "bridge-entry-created" | "bridge-entry-updated" | "bridge-entry-proofs-added" | "balance-received" | "wallet-limited" | "balance-crossed";
                change: number;
                /** Format: date-time */
                moment: string;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Fact: string | {
            $eq?: string;
            $ne?: string;
            $gt?: string;
            $gte?: string;
            $lt?: string;
            $lte?: string;
            $in?: string[];
            $nin?: string[];
            $regex?: string;
            $exists?: boolean;
        };
        Handle: string;
        Hash: string;
        Health: {
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                ledger: string;
                server: string;
                semver: string;
                /** @enum {string} */
                status: "UP" | "DEGRADED" | "DOWN";
                dependencies: {
                    /** @enum {string} */
                    db: "CONNECTED" | "ERROR";
                };
                backlogs?: {
                    outbox: {
                        count: number;
                        oldestSeconds?: number;
                        /** @constant */
                        isPartial?: true;
                    };
                    deliveries: {
                        due: number;
                        waiting: number;
                        oldestSeconds?: number;
                        /** @constant */
                        isPartial?: true;
                    };
                    intents: {
                        due: number;
                        waiting: number;
                        oldestSeconds?: number;
                        /** @constant */
                        isPartial?: true;
                    };
                    reports: {
                        due: number;
                        waiting: number;
                        oldestSeconds?: number;
                        /** @constant */
                        isPartial?: true;
                    };
                    witnesses?: {
                        due: number;
                        waiting: number;
                        oldestSeconds?: number;
                        /** @constant */
                        isPartial?: true;
                    };
                };
                audit?: {
                    /** Format: date-time */
                    moment: string;
                    findings: number;
                    /** @constant */
                    isPartial?: true;
                    records: number;
                    proofs: number;
                    semver: string;
                };
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Intent: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["IntentData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                thread?: string;
                waiting?: {
                    /** @enum {string} */
                    for: "moment" | "signatures" | "decision" | "bridge";
                    /** Format: date-time */
                    from?: string;
                    /** Format: date-time */
                    until?: string;
                    entry?: string;
                    bridge?: string;
                    /** @enum {string} */
                    action?: "prepare" | "commit" | "abort" | "status";
                    /** Format: date-time */
                    since?: string;
                    status?: string;
                    attempts?: number;
                    /** Format: date-time */
                    next?: string;
                    reason?: unknown;
                    detail?: unknown;
                }[];
                leaf?: number;
            };
        };
        IntentBatch: {
            hash: components["schemas"]["Hash"];
            data: (components["schemas"]["BatchedIntent"] | components["schemas"]["RefusedIntent"])[];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        IntentChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["IntentData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                thread?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        IntentChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["IntentChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        IntentData: {
            handle: components["schemas"]["Handle"];
            claims: ({
                /** @constant */
                action: "issue";
                target: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                symbol: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                amount: number;
                custom?: components["schemas"]["Custom"];
            } | {
                /** @constant */
                action: "transfer";
                source: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                target: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                symbol: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                amount: number;
                custom?: components["schemas"]["Custom"];
            } | {
                /** @constant */
                action: "destroy";
                source: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                symbol: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                amount: number;
                custom?: components["schemas"]["Custom"];
            } | ({
                /** @constant */
                action: "limit";
                wallet: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                symbol: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                custom?: components["schemas"]["Custom"];
                /** @constant */
                metric: "minBalance";
                amount: number;
            } | {
                /** @constant */
                action: "limit";
                wallet: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                symbol: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                custom?: components["schemas"]["Custom"];
                /** @enum {string} */
                metric: "maxBalance" | "dailyCount" | "dailyAmount";
                amount: number;
            }))[];
            config?: {
                /** @enum {string} */
                commit?: "auto" | "manual";
                /** Format: date-time */
                expiry?: string;
                /** Format: date-time */
                notBefore?: string;
            };
            reverses?: components["schemas"]["Handle"];
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        IntentEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "intent-created" | "intent-updated" | "intent-proofs-added";
                intent: components["schemas"]["Intent"];
            };
        };
        IntentList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Intent"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        IntentPreview: {
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                status: string;
                statuses: string[];
                entries: {
                    /** @enum {string} */
                    schema: "debit" | "credit";
                    wallet: components["schemas"]["Handle"];
                    symbol: components["schemas"]["Handle"];
                    amount: number;
                    inputs: number[];
                    bridge?: components["schemas"]["Handle"];
                }[];
                balances: {
                    wallet: components["schemas"]["Handle"];
                    symbol: components["schemas"]["Handle"];
                    /** @enum {string} */
                    schema: "available" | "reserved";
                    amount: number;
                }[];
                forwarded?: {
                    claims: unknown[];
                    entries: {
                        /** @enum {string} */
                        schema: "debit" | "credit";
                        wallet: components["schemas"]["Handle"];
                        symbol: components["schemas"]["Handle"];
                        amount: number;
                        inputs: number[];
                        bridge?: components["schemas"]["Handle"];
                    }[];
                }[];
                reason?: string;
                detail?: string;
                missing?: {
                    /** @enum {string} */
                    action: "issue" | "spend" | "destroy" | "limit";
                    /** @enum {string} */
                    record: "symbol" | "wallet";
                    handle: components["schemas"]["Handle"];
                    claims: number[];
                }[];
                /** @constant */
                needsQuorum?: true;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Ledger: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["LedgerData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        LedgerChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["LedgerData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        LedgerChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["LedgerChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        LedgerData: {
            handle: components["schemas"]["LedgerHandle"];
            signer?: components["schemas"]["Handle"];
            config?: {
                "intent.expiryThresholdMinutes"?: number;
                "intent.expiryMaxMinutes"?: number;
                "anchor.walletRequired"?: boolean;
                "proof.maxAgeSeconds"?: number;
                /** @enum {string} */
                "access.strategy"?: "record-based" | "policy-based";
                "limits.aggregated.enabled"?: boolean;
                "log.witnesses"?: {
                    key: string;
                    url: string;
                }[];
                "oauth.provider"?: components["schemas"]["Handle"];
                "oauth.tokenSeconds"?: number;
            } & {
                [key: string]: unknown;
            };
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        LedgerEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "ledger-created" | "ledger-updated" | "ledger-proofs-added";
                ledger: components["schemas"]["Ledger"];
            };
        };
        LedgerHandle: string;
        LedgerList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Ledger"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Limit: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: {
                wallet: components["schemas"]["Handle"];
                symbol: components["schemas"]["Handle"];
                /** @enum {string} */
                metric: "minBalance" | "maxBalance" | "dailyCount" | "dailyAmount";
                amount: number;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** @constant */
                status: "created";
                /** Format: date-time */
                moment: string;
            };
        };
        LimitList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Limit"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        LogConsistency: {
            hash: components["schemas"]["Hash"];
            data: {
                from: number;
                to: number;
                path: string[];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        LogProof: {
            hash: components["schemas"]["Hash"];
            data: {
                leaf: {
                    luid: string;
                    change: number;
                    hash: string;
                    /** Format: date-time */
                    moment: string;
                    proofs: components["schemas"]["Hash"];
                };
                index: number;
                size: number;
                path: string[];
                checkpoint: string;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Lookup: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                [key: string]: unknown;
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        Page: {
            index: number;
            limit: number;
            next?: string;
        };
        Permission: {
            hash: components["schemas"]["Hash"];
            data: {
                record: string | {
                    $in: string[];
                };
                action: string | {
                    $in: string[];
                };
                invoke?: string;
                filter?: components["schemas"]["Custom"];
                change?: components["schemas"]["Custom"];
                /** @enum {string} */
                missing?: "domain" | "place" | "circle" | "signer" | "bearer" | "filter" | "change" | "invoke" | "work";
                source?: {
                    /** @enum {string} */
                    place: "server" | "ledger" | "circle" | "domain" | "record" | "policy";
                    handle?: string;
                };
                signer?: components["schemas"]["Custom"];
                bearer?: components["schemas"]["Custom"];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        PermissionList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Permission"][];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Policy: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["PolicyData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        PolicyChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["PolicyData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        PolicyChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["PolicyChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        PolicyData: {
            /** @enum {string} */
            schema: "access" | "status" | "labels";
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            handle: components["schemas"]["Handle"];
            /** @enum {string} */
            record: "any" | "ledger" | "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "schema" | "policy" | "report" | "ledger-proof" | "signer-proof" | "symbol-proof" | "wallet-proof" | "intent-proof" | "effect-proof" | "signer-factor-proof" | "circle-proof" | "circle-signer-proof" | "bridge-proof" | "domain-proof" | "anchor-proof" | "schema-proof" | "policy-proof" | "report-proof";
            values: {
                [key: string]: unknown;
            }[];
            filter?: {
                [key: string]: unknown;
            };
            extend?: components["schemas"]["Handle"] | components["schemas"]["Handle"][];
            parent?: components["schemas"]["Hash"];
        };
        PolicyEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "policy-created" | "policy-updated" | "policy-proofs-added" | "policy-dropped";
                policy: components["schemas"]["Policy"];
            };
        };
        PolicyList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Policy"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        PrepareCall: {
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                luid: string;
                /** @enum {string} */
                schema: "debit" | "credit";
                amount: number;
                symbol: {
                    handle: string;
                };
                source?: {
                    handle: string;
                    custom?: components["schemas"]["Custom"];
                };
                target?: {
                    handle: string;
                    custom?: components["schemas"]["Custom"];
                };
                custom?: components["schemas"]["Custom"];
                inputs: number[];
                intent: components["schemas"]["Intent"];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Proof: {
            /** @constant */
            method: "ed25519-v2";
            public: string;
            digest: components["schemas"]["Hash"];
            result: string;
            custom?: components["schemas"]["Custom"];
            signer?: string;
            /** @constant */
            origin?: "key-pair";
        };
        Receipt: {
            hash: components["schemas"]["Hash"];
            data: {
                ledger: string;
                record: {
                    luid: string;
                    hash: string;
                    data: {
                        handle: string;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
                proof: string;
                signers: {
                    system: {
                        luid: string;
                        hash: string;
                        data: {
                            handle: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    log: {
                        luid: string;
                        hash: string;
                        data: {
                            handle: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        RefusedIntent: {
            hash?: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                reason: "api.body-malformed" | "api.method-not-allowed" | "api.query-malformed" | "api.rate-limit-exceeded" | "api.request-timeout" | "api.route-not-found" | "api.unexpected-error" | "auth.forbidden" | "auth.unauthorized" | "crypto.hash-invalid" | "crypto.parent-hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.drop-rejected" | "record.duplicated" | "record.invalid" | "record.labels-policy-violation" | "record.not-found" | "record.relation-not-found" | "record.schema-invalid" | "record.status-policy-violation" | "record.update-rejected";
                detail: string;
                custom?: components["schemas"]["Custom"];
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
            status: number;
        };
        Report: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["ReportData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        ReportChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["ReportData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        ReportChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["ReportChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        ReportData: {
            handle: components["schemas"]["Handle"];
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        ReportEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "report-created" | "report-proofs-added" | "report-dropped";
                report: components["schemas"]["Report"];
            };
        };
        ReportList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Report"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        ReportProof: {
            /** @constant */
            method: "ed25519-v2";
            public: string;
            digest: components["schemas"]["Hash"];
            result: string;
            custom?: {
                assets?: {
                    handle: string;
                    output: string | components["schemas"]["Custom"] | unknown[];
                }[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Request: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                [key: string]: unknown;
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        Retry: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle?: string;
                maxAge?: number;
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        Schema: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SchemaData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        SchemaChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SchemaData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        SchemaChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SchemaChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        SchemaData: {
            handle: components["schemas"]["Handle"];
            /** @enum {string} */
            record: "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "policy" | "report";
            /** @constant */
            format: "json-schema";
            schema: {
                [key: string]: unknown;
            };
            extend?: components["schemas"]["Handle"];
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        SchemaEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "schema-created" | "schema-updated" | "schema-proofs-added";
                schema: components["schemas"]["Schema"];
            };
        };
        SchemaList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Schema"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        SentProof: {
            /** @constant */
            method: "ed25519-v2";
            public: string;
            digest: components["schemas"]["Hash"];
            result: string;
            custom?: components["schemas"]["Custom"];
        } & {
            [key: string]: unknown;
        };
        Signer: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                predecessors?: string[];
                leaf?: number;
            };
        };
        SignerChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                predecessors?: string[];
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        SignerChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        SignerData: {
            handle: components["schemas"]["Handle"];
            public?: string;
            /** @constant */
            format?: "ed25519-raw";
            secret?: string;
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            keys?: components["schemas"]["SignerKey"][];
            parent?: components["schemas"]["Hash"];
        };
        SignerEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "signer-created" | "signer-updated" | "signer-proofs-added";
                signer: components["schemas"]["Signer"];
            };
        };
        SignerFactor: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerFactorData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                predecessors?: string[];
                clientId?: string;
                secret?: {
                    clientSecret: string;
                };
                leaf?: number;
            };
        };
        SignerFactorChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerFactorData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                predecessors?: string[];
                clientId?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        SignerFactorChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerFactorChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        SignerFactorData: {
            /** @enum {string} */
            schema?: "key-pair" | "oauth-client-credentials";
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            handle: components["schemas"]["Handle"];
            signer: components["schemas"]["Handle"];
            public?: string;
            /** @enum {string} */
            format?: "ed25519-raw" | "rsa-2048";
            secret?: string;
            parent?: components["schemas"]["Hash"];
        };
        SignerFactorEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "signer-factor-created" | "signer-factor-updated" | "signer-factor-proofs-added" | "signer-factor-dropped";
                "signer-factor": components["schemas"]["SignerFactor"];
            };
        };
        SignerFactorList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SignerFactor"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        SignerKey: {
            public: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            until?: string;
            size?: number;
            /** Format: date-time */
            compromised?: string;
            proofs?: components["schemas"]["Proof"][];
        };
        SignerList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Signer"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        SignerMatcher: {
            handle?: components["schemas"]["Fact"];
            public?: components["schemas"]["Fact"];
            format?: components["schemas"]["Fact"];
            schema?: components["schemas"]["Fact"];
            custom?: {
                [key: string]: unknown;
            };
            $circle?: components["schemas"]["Handle"] | {
                $in: components["schemas"]["Handle"][];
            };
            /** @constant */
            $record?: "owner";
            /** @constant */
            $ledger?: "owner";
            $in?: components["schemas"]["SignerMatcher"][];
        };
        Status: {
            hash: components["schemas"]["Hash"];
            data: {
                handle: string;
                ledger: string;
                server: string;
                semver: string;
                /** @enum {string} */
                status: "UP" | "DOWN";
                uptime: number;
                dependencies: {
                    /** @enum {string} */
                    db: "CONNECTED" | "ERROR";
                };
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Sum: {
            hash: components["schemas"]["Hash"];
            data: {
                symbol: components["schemas"]["Handle"];
                /** @enum {string} */
                of: "supply" | "wallets" | "dropped-wallets";
                domain?: string;
                schema?: string;
                wallets?: number;
                debits: number;
                credits: number;
                balance: number;
                reserved: number;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        SumList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Sum"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        Supply: {
            hash: components["schemas"]["Hash"];
            data: {
                symbol: components["schemas"]["Handle"];
                issued: number;
                destroyed: number;
                outstanding: number;
                reserved?: number;
                atBridges?: number;
            };
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        Symbol: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SymbolData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        SymbolChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SymbolData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        SymbolChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["SymbolChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        SymbolData: {
            handle: components["schemas"]["Handle"];
            /** @enum {number} */
            factor: 1 | 10 | 100 | 1000 | 10000 | 100000 | 1000000 | 10000000 | 100000000 | 1000000000 | 10000000000 | 100000000000 | 1000000000000 | 10000000000000 | 100000000000000 | 1000000000000000;
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        SymbolEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "symbol-created" | "symbol-updated" | "symbol-proofs-added";
                symbol: components["schemas"]["Symbol"];
            };
        };
        SymbolList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Symbol"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
        UpdateAnchor: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                target: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                wallet?: components["schemas"]["Handle"];
                symbol?: components["schemas"]["Handle"];
                source?: components["schemas"]["Handle"] | {
                    handle: components["schemas"]["Handle"];
                    custom?: components["schemas"]["Custom"];
                };
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateBridge: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @constant */
                schema?: "rest";
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                handle: components["schemas"]["Handle"];
                config: {
                    server: string;
                    /** @enum {string} */
                    "debits.claims.groupBy"?: "address" | "wallet";
                    /** @enum {string} */
                    "credits.claims.groupBy"?: "address" | "wallet";
                };
                traits?: (("debits" | "credits" | "statuses" | "anchors" | "domains" | "effects") | {
                    /** @enum {string} */
                    method: "debits" | "credits" | "statuses" | "anchors" | "domains" | "effects";
                    filter?: {
                        [key: string]: unknown;
                    };
                })[];
                secure?: ({
                    /** @constant */
                    schema: "header";
                    key: string;
                    value: string;
                } | {
                    /** @constant */
                    schema: "oauth2";
                    clientId: string;
                    clientSecret: string;
                    tokenUrl: string;
                    scope?: string;
                })[];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
                secret?: {
                    [key: string]: string;
                };
            } & {
                [key: string]: unknown;
            };
        };
        UpdateCircle: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateDomain: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["LedgerHandle"];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateEffect: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                /** @enum {string} */
                signal: "ledger-created" | "ledger-updated" | "ledger-proofs-added" | "signer-created" | "signer-updated" | "signer-proofs-added" | "symbol-created" | "symbol-updated" | "symbol-proofs-added" | "wallet-created" | "wallet-updated" | "wallet-proofs-added" | "wallet-dropped" | "intent-created" | "intent-updated" | "intent-proofs-added" | "effect-created" | "effect-updated" | "effect-proofs-added" | "effect-dropped" | "signer-factor-created" | "signer-factor-updated" | "signer-factor-proofs-added" | "signer-factor-dropped" | "circle-created" | "circle-updated" | "circle-proofs-added" | "circle-signer-created" | "circle-signer-dropped" | "bridge-created" | "bridge-updated" | "bridge-proofs-added" | "bridge-dropped" | "domain-created" | "domain-updated" | "domain-proofs-added" | "anchor-created" | "anchor-updated" | "anchor-proofs-added" | "anchor-dropped" | "schema-created" | "schema-updated" | "schema-proofs-added" | "policy-created" | "policy-updated" | "policy-proofs-added" | "policy-dropped" | "report-created" | "report-proofs-added" | "report-dropped" | "bridge-entry-created" | "bridge-entry-updated" | "bridge-entry-proofs-added" | "balance-received" | "wallet-limited" | "balance-crossed";
                filter?: {
                    [key: string]: unknown;
                };
                balance?: {
                    wallet: components["schemas"]["Handle"];
                    symbol: components["schemas"]["Handle"];
                    threshold: number;
                    /** @enum {string} */
                    direction?: "below" | "above";
                };
                action: {
                    /** @constant */
                    schema: "webhook";
                    endpoint: string;
                } | {
                    /** @constant */
                    schema: "bridge";
                    bridge: components["schemas"]["Handle"];
                };
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            } & unknown;
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateLedger: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["LedgerHandle"];
                signer?: components["schemas"]["Handle"];
                config?: {
                    "intent.expiryThresholdMinutes"?: number;
                    "intent.expiryMaxMinutes"?: number;
                    "anchor.walletRequired"?: boolean;
                    "proof.maxAgeSeconds"?: number;
                    /** @enum {string} */
                    "access.strategy"?: "record-based" | "policy-based";
                    "limits.aggregated.enabled"?: boolean;
                    "log.witnesses"?: {
                        key: string;
                        url: string;
                    }[];
                    "oauth.provider"?: components["schemas"]["Handle"];
                    "oauth.tokenSeconds"?: number;
                } & {
                    [key: string]: unknown;
                };
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdatePolicy: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                schema: "access" | "status" | "labels";
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                handle: components["schemas"]["Handle"];
                /** @enum {string} */
                record: "any" | "ledger" | "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "schema" | "policy" | "report" | "ledger-proof" | "signer-proof" | "symbol-proof" | "wallet-proof" | "intent-proof" | "effect-proof" | "signer-factor-proof" | "circle-proof" | "circle-signer-proof" | "bridge-proof" | "domain-proof" | "anchor-proof" | "schema-proof" | "policy-proof" | "report-proof";
                values: {
                    [key: string]: unknown;
                }[];
                filter?: {
                    [key: string]: unknown;
                };
                extend?: components["schemas"]["Handle"] | components["schemas"]["Handle"][];
                parent: components["schemas"]["Hash"];
            } & (unknown & unknown & unknown);
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateSchema: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                /** @enum {string} */
                record: "signer" | "symbol" | "wallet" | "intent" | "effect" | "signer-factor" | "circle" | "circle-signer" | "bridge" | "domain" | "anchor" | "policy" | "report";
                /** @constant */
                format: "json-schema";
                schema: {
                    [key: string]: unknown;
                };
                extend?: components["schemas"]["Handle"];
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateSigner: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                public?: string;
                /** @constant */
                format?: "ed25519-raw";
                secret?: string;
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateSignerFactor: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                /** @enum {string} */
                schema?: "key-pair" | "oauth-client-credentials";
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                handle: components["schemas"]["Handle"];
                signer: components["schemas"]["Handle"];
                public?: string;
                /** @enum {string} */
                format?: "ed25519-raw" | "rsa-2048";
                secret?: string;
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateSymbol: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                /** @enum {number} */
                factor: 1 | 10 | 100 | 1000 | 10000 | 100000 | 1000000 | 10000000 | 100000000 | 1000000000 | 10000000000 | 100000000000 | 1000000000000 | 10000000000000 | 100000000000000 | 1000000000000000;
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        UpdateWallet: {
            luid?: string;
            hash: components["schemas"]["Hash"];
            data: {
                handle: components["schemas"]["Handle"];
                bridge?: components["schemas"]["Handle"];
                routes?: ({
                    /** @constant */
                    action: "accept";
                    filter?: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @enum {string} */
                    action: "credit" | "debit" | "forward";
                    filter?: {
                        [key: string]: unknown;
                    };
                    target: components["schemas"]["Handle"];
                })[];
                schema?: string;
                access?: components["schemas"]["AccessRule"][];
                custom?: components["schemas"]["Custom"];
                domain?: components["schemas"]["LedgerHandle"];
                parent: components["schemas"]["Hash"];
            };
            meta: {
                proofs: components["schemas"]["SentProof"][];
            } & {
                [key: string]: unknown;
            };
        };
        Wallet: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["WalletData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                leaf?: number;
            };
        };
        WalletChange: {
            luid: string;
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["WalletData"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                status: string;
                /** Format: date-time */
                moment: string;
                owners: string[];
                labels?: string[];
                domain?: string;
                /** @enum {string} */
                action: "create" | "update" | "drop";
                change: number;
                drop?: {
                    hash: components["schemas"]["Hash"];
                    data: {
                        parent: components["schemas"]["Hash"];
                    };
                    meta: {
                        proofs: components["schemas"]["Proof"][];
                    };
                };
                leaf?: number;
            };
        };
        WalletChangeList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["WalletChange"][];
            page: components["schemas"]["CountedPage"];
            meta: {
                proofs: components["schemas"]["Proof"][];
                /** Format: date-time */
                moment: string;
            };
        };
        WalletData: {
            handle: components["schemas"]["Handle"];
            bridge?: components["schemas"]["Handle"];
            routes?: ({
                /** @constant */
                action: "accept";
                filter?: {
                    [key: string]: unknown;
                };
            } | {
                /** @enum {string} */
                action: "credit" | "debit" | "forward";
                filter?: {
                    [key: string]: unknown;
                };
                target: components["schemas"]["Handle"];
            })[];
            schema?: string;
            access?: components["schemas"]["AccessRule"][];
            custom?: components["schemas"]["Custom"];
            domain?: components["schemas"]["LedgerHandle"];
            parent?: components["schemas"]["Hash"];
        };
        WalletEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "wallet-created" | "wallet-updated" | "wallet-proofs-added" | "wallet-dropped";
                wallet: components["schemas"]["Wallet"];
            };
        };
        WalletLimitedEvent: components["schemas"]["Event"] & {
            data: {
                /** @enum {string} */
                signal: "wallet-limited";
                intent: components["schemas"]["Intent"];
                wallet: components["schemas"]["Wallet"] | string;
                symbol: components["schemas"]["Symbol"] | string;
                /** @enum {string} */
                metric: "minBalance" | "maxBalance" | "dailyCount" | "dailyAmount";
                amount: number;
            };
        };
        WalletList: {
            hash: components["schemas"]["Hash"];
            data: components["schemas"]["Wallet"][];
            page: components["schemas"]["Page"];
            meta: {
                proofs: components["schemas"]["Proof"][];
            };
        };
    };
    responses: {
        "400.api.body-malformed_api.query-malformed": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.body-malformed" | "api.query-malformed";
                    };
                };
            };
        };
        "400.api.query-malformed": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.query-malformed";
                    };
                };
            };
        };
        "401.auth.unauthorized": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "auth.unauthorized";
                    };
                };
            };
        };
        "403.auth.forbidden": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "auth.forbidden";
                    };
                };
            };
        };
        "404.api.route-not-found": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.route-not-found";
                    };
                };
            };
        };
        "404.api.route-not-found_record.not-found": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.route-not-found" | "record.not-found";
                    };
                };
            };
        };
        "408.api.request-timeout": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.request-timeout";
                    };
                };
            };
        };
        "409.record.duplicated": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "record.duplicated";
                    };
                };
            };
        };
        "413.api.body-malformed": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.body-malformed";
                    };
                };
            };
        };
        "415.api.body-malformed": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.body-malformed";
                    };
                };
            };
        };
        "422.check": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.create": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.relation-not-found" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.create.bridge": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.relation-not-found" | "record.schema-invalid" | "record.status-policy-violation";
                    };
                };
            };
        };
        "422.create.intent": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.relation-not-found" | "record.schema-invalid" | "record.status-policy-violation";
                    };
                };
            };
        };
        "422.create.ledger": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.drop": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.parent-hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.drop-rejected" | "record.invalid" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.lookup": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.preview": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "record.invalid" | "record.relation-not-found" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.proof": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.signature-invalid" | "record.invalid" | "record.labels-policy-violation" | "record.schema-invalid" | "record.status-policy-violation" | "record.update-rejected";
                    };
                };
            };
        };
        "422.record.invalid_record.schema-invalid": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "record.invalid" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.request": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.schema-invalid" | "record.status-policy-violation";
                    };
                };
            };
        };
        "422.request.bridge": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.schema-invalid" | "record.status-policy-violation";
                    };
                };
            };
        };
        "422.retry": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.schema-invalid";
                    };
                };
            };
        };
        "422.update": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.parent-hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.relation-not-found" | "record.schema-invalid" | "record.update-rejected";
                    };
                };
            };
        };
        "422.update.ledger": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "crypto.hash-invalid" | "crypto.parent-hash-invalid" | "crypto.signature-invalid" | "crypto.signature-missing" | "record.invalid" | "record.schema-invalid" | "record.update-rejected";
                    };
                };
            };
        };
        "429.api.rate-limit-exceeded": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.rate-limit-exceeded";
                    };
                };
            };
        };
        "500.api.unexpected-error": {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    data?: {
                        /** @enum {unknown} */
                        reason?: "api.unexpected-error";
                    };
                };
            };
        };
        "event.2XX": {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        "event.410": {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        "event.501": {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        "call.2XX": {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        "call.501": {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        "sent.default": {
            headers: {
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        ledger: string;
        "page.index": number;
        "page.limit": number;
        "page.cursor": string;
        search: string;
        moment: string;
        symbol: string;
        "symbol.one": string;
        group: "symbol" | "domain" | "schema";
        luid: string;
        "change.of": number;
        cosigned: boolean;
        "size.from": number;
        "size.to": number;
        from: string;
        to: string;
        "include.holds": "holds";
        "include.leaf": "leaf";
        include: string[];
        asset: string;
        change: string;
        delivery: string;
        file: string;
        id: string;
        level: string;
        link: string;
        page: string;
        part1: string;
        part2: string;
        part3: string;
        part4: string;
        signer: string;
        anchorChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.wallet"?: string | string[];
            "data.wallet.handle"?: string | string[];
            "data.target"?: string | string[];
            "data.target.handle"?: string | string[];
            "data.source"?: string | string[];
            "data.source.handle"?: string | string[];
            "data.symbol"?: string | string[];
            "data.symbol.handle"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        anchorFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.wallet"?: string | string[];
            "data.wallet.handle"?: string | string[];
            "data.target"?: string | string[];
            "data.target.handle"?: string | string[];
            "data.source"?: string | string[];
            "data.source.handle"?: string | string[];
            "data.symbol"?: string | string[];
            "data.symbol.handle"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        bridgeChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        bridgeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        circleChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        circleFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        circleSignerFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        deliveryFilters: {
            "data.handle"?: string | string[];
            "data.effect"?: string | string[];
            "data.bridge"?: string | string[];
            "data.entry"?: string | string[];
            "data.action"?: string | string[];
            "data.linked"?: string | string[];
            "meta.status"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.replay"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        domainChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        domainFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        effectChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.signal"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        effectFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.signal"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        intentChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.claims"?: string | string[];
            "data.claims.action"?: string | string[];
            "data.claims.amount"?: string | string[];
            "data.reverses"?: string | string[];
            "data.claims.source"?: string | string[];
            "data.claims.source.handle"?: string | string[];
            "data.claims.target"?: string | string[];
            "data.claims.target.handle"?: string | string[];
            "data.claims.symbol"?: string | string[];
            "data.claims.symbol.handle"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        intentFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.claims"?: string | string[];
            "data.claims.action"?: string | string[];
            "data.claims.amount"?: string | string[];
            "data.reverses"?: string | string[];
            "data.claims.source"?: string | string[];
            "data.claims.source.handle"?: string | string[];
            "data.claims.target"?: string | string[];
            "data.claims.target.handle"?: string | string[];
            "data.claims.symbol"?: string | string[];
            "data.claims.symbol.handle"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        ledgerChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        ledgerFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        policyChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.record"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        policyFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.record"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        reportChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        reportFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        schemaChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.record"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        schemaFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.record"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        signerChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.public"?: string | string[];
            "data.format"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        signerFactorChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        signerFactorFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        signerFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.public"?: string | string[];
            "data.format"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        symbolChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        symbolFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        walletChangeFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.bridge"?: string | string[];
            "data.bridge.handle"?: string | string[];
            "meta.action"?: string | string[];
            "meta.change"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        walletFilters: {
            "data.handle"?: string | string[];
            "data.schema"?: string | string[];
            "meta.status"?: string | string[];
            "meta.labels"?: string | string[];
            "meta.domain"?: string | string[];
            "meta.moment"?: string | string[];
            "data.bridge"?: string | string[];
            "data.bridge.handle"?: string | string[];
        } & {
            [key: string]: string | string[];
        };
        "webhook-id": string;
        "webhook-timestamp": string;
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: {
        "x-request-id": string;
        "retry-after": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readStatus: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readOpenApi: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    listLedgers: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["ledgerFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createLedger: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLedger"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create.ledger"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLedger: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateLedger: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLedger"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update.ledger"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readOwnLedger: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateOwnLedger: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLedger"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update.ledger"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addOwnLedgerProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkOwnLedgerAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listOwnLedgerChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["ledgerChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readOwnLedgerChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readOwnLedgerChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSigners: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["signerFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createSigner: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSigner"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signer"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSigner: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signer"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateSigner: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSigner"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signer"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addSignerProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signer"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkSignerAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSignerChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["signerChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSignerChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSignerChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSignerFactors: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["signerFactorFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactorList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createSignerFactor: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSignerFactor"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactor"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSignerFactor: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactor"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateSignerFactor: {
        parameters: {
            query?: {
                include?: components["parameters"]["include"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSignerFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactor"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropSignerFactor: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addSignerFactorProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactor"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkSignerFactorAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSignerFactorChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["signerFactorChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactorChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSignerFactorChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignerFactorChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSignerFactorChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropSignerFactorByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                signer: components["parameters"]["signer"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSymbols: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["symbolFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SymbolList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createSymbol: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSymbol"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Symbol"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSymbol: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Symbol"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateSymbol: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSymbol"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Symbol"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addSymbolProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Symbol"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkSymbolAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSymbolChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["symbolChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SymbolChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSymbolChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SymbolChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSymbolChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSymbolSupply: {
        parameters: {
            query?: {
                moment?: components["parameters"]["moment"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Supply"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWallets: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["walletFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWallet"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readWallet: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateWallet: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWallet"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropWallet: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addWalletProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkWalletAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWalletChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["walletChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readWalletChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readWalletChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropWalletByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWalletBalances: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                moment?: components["parameters"]["moment"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWalletEntries: {
        parameters: {
            query: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                symbol: components["parameters"]["symbol"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                include?: components["parameters"]["include.holds"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWalletLimits: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWalletAnchors: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["anchorFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnchorList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    lookUpWalletAnchors: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Lookup"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnchorList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.lookup"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listWalletDomains: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listBalances: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                symbol?: components["parameters"]["symbol.one"];
                moment?: components["parameters"]["moment"];
                filters?: components["parameters"]["walletFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllBalanceList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    sumBalances: {
        parameters: {
            query?: {
                symbol?: components["parameters"]["symbol.one"];
                moment?: components["parameters"]["moment"];
                group?: components["parameters"]["group"];
                filters?: components["parameters"]["walletFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SumList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listIntents: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["intentFilters"];
                $plainTextQuery?: components["parameters"]["search"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createIntent: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIntent"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intent"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create.intent"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    batchIntents: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIntentBatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentBatch"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.record.invalid_record.schema-invalid"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    previewIntent: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIntent"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentPreview"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.preview"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readIntent: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intent"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addIntentProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intent"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkIntentAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readIntentReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listIntentChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["intentChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readIntentChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readIntentChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    signIntent: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intent"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listEffects: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["effectFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createEffect: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEffect"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Effect"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readEffect: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Effect"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateEffect: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEffect"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Effect"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropEffect: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addEffectProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Effect"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkEffectAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listEffectChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["effectChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readEffectChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readEffectChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropEffectByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listEffectEvents: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["deliveryFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readEffectEvent: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                delivery: components["parameters"]["delivery"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    retryEffectEvents: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Retry"];
            };
        };
        responses: {
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.retry"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    activateEffect: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Request"];
            };
        };
        responses: {
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.request"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listCircles: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["circleFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircleList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createCircle: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCircle"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Circle"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readCircle: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Circle"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateCircle: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCircle"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Circle"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addCircleProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Circle"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkCircleAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listCircleChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["circleChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircleChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readCircleChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircleChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readCircleChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listCircleSigners: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["circleSignerFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircleSignerList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createCircleSigner: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCircleSigner"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircleSigner"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readCircleSigner: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                link: components["parameters"]["link"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircleSigner"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropCircleSigner: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                link: components["parameters"]["link"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropCircleSignerByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                link: components["parameters"]["link"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listBridges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["bridgeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createBridge: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBridge"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bridge"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create.bridge"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readBridge: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bridge"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateBridge: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBridge"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bridge"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropBridge: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addBridgeProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bridge"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkBridgeAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listBridgeChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["bridgeChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readBridgeChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readBridgeChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropBridgeByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listBridgeEvents: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["deliveryFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readBridgeEvent: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                delivery: components["parameters"]["delivery"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    retryBridgeEvents: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Retry"];
            };
        };
        responses: {
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.retry"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    activateBridge: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Request"];
            };
        };
        responses: {
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.request.bridge"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["domainFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomain"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readDomain: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDomain"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addDomainProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkDomainAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listDomainChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["domainChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readDomainChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readDomainChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listAnchors: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["anchorFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnchorList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createAnchor: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAnchor"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anchor"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readAnchor: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anchor"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateAnchor: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAnchor"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anchor"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropAnchor: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addAnchorProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anchor"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkAnchorAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listAnchorChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["anchorChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnchorChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readAnchorChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnchorChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readAnchorChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropAnchorByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSchemas: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["schemaFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createSchema: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSchema"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schema"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSchema: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schema"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updateSchema: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSchema"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schema"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addSchemaProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schema"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkSchemaAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listSchemaChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["schemaChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSchemaChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readSchemaChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listPolicies: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["policyFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createPolicy: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePolicy"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readPolicy: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    updatePolicy: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePolicy"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.update"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropPolicy: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addPolicyProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkPolicyAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listPolicyChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["policyChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readPolicyChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readPolicyChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropPolicyByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    giveToken: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @constant */
                    grant_type: "client_credentials";
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @constant */
                        token_type: "Bearer";
                        expires_in: number;
                    };
                };
            };
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "invalid_request" | "unsupported_grant_type";
                        error_description: string;
                    };
                };
            };
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "invalid_client";
                        error_description: string;
                    };
                };
            };
            404: components["responses"]["404.api.route-not-found"];
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "api.rate-limit-exceeded";
                        error_description: string;
                    };
                };
            };
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "server_error";
                        error_description: string;
                    };
                };
            };
        };
    };
    readTokenKeys: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            /** @constant */
                            kty: "RSA";
                            n: string;
                            e: string;
                            /** @constant */
                            use: "sig";
                            /** @constant */
                            alg: "RS256";
                            kid: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listReports: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["reportFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReport"];
            };
        };
        responses: {
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.create"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readReport: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropReport: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    addReportProof: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            409: components["responses"]["409.record.duplicated"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.proof"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    checkReportAccess: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.check"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    listReportChanges: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
                "page.limit"?: components["parameters"]["page.limit"];
                "page.cursor"?: components["parameters"]["page.cursor"];
                filters?: components["parameters"]["reportChangeFilters"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportChangeList"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readReportChange: {
        parameters: {
            query?: {
                include?: components["parameters"]["include.leaf"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportChange"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readReportChangeReceipt: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                change: components["parameters"]["change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    dropReportByPost: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Drop"];
            };
        };
        responses: {
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.body-malformed_api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            413: components["responses"]["413.api.body-malformed"];
            415: components["responses"]["415.api.body-malformed"];
            422: components["responses"]["422.drop"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readReportAsset: {
        parameters: {
            query?: {
                "page.index"?: components["parameters"]["page.index"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                id: components["parameters"]["id"];
                asset: components["parameters"]["asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "text/csv": string;
                    "application/json": unknown;
                    "application/pdf": string;
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogCheckpoint: {
        parameters: {
            query?: {
                cosigned?: components["parameters"]["cosigned"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogTile: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                level: components["parameters"]["level"];
                part1: components["parameters"]["part1"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogTileOfTwoParts: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                level: components["parameters"]["level"];
                part1: components["parameters"]["part1"];
                part2: components["parameters"]["part2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogTileOfThreeParts: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                level: components["parameters"]["level"];
                part1: components["parameters"]["part1"];
                part2: components["parameters"]["part2"];
                part3: components["parameters"]["part3"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogTileOfFourParts: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                level: components["parameters"]["level"];
                part1: components["parameters"]["part1"];
                part2: components["parameters"]["part2"];
                part3: components["parameters"]["part3"];
                part4: components["parameters"]["part4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogProof: {
        parameters: {
            query: {
                luid: components["parameters"]["luid"];
                change: components["parameters"]["change.of"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogProof"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readLogConsistency: {
        parameters: {
            query: {
                from: components["parameters"]["size.from"];
                to?: components["parameters"]["size.to"];
            };
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogConsistency"];
                };
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            403: components["responses"]["403.auth.forbidden"];
            404: components["responses"]["404.api.route-not-found_record.not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readConsole: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readConsoleScript: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readConsoleStyle: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readDocs: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readDocsPage: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                page: components["parameters"]["page"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readConcept: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                page: components["parameters"]["page"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readRecipe: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                page: components["parameters"]["page"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
    readDocsFile: {
        parameters: {
            query?: never;
            header?: {
                "x-ledger"?: components["parameters"]["ledger"];
            };
            path: {
                file: components["parameters"]["file"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                    "text/javascript": string;
                    "image/svg+xml": string;
                    "application/json": unknown;
                };
            };
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.api.query-malformed"];
            401: components["responses"]["401.auth.unauthorized"];
            404: components["responses"]["404.api.route-not-found"];
            408: components["responses"]["408.api.request-timeout"];
            429: components["responses"]["429.api.rate-limit-exceeded"];
            500: components["responses"]["500.api.unexpected-error"];
        };
    };
}
