/** Turns off the warning of the AWS SDK about Node 20, which this runtime supports. */
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
