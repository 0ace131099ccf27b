/** Node 20 is supported here; the SDK's advice to its users is not for ours. */
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
