<?php
/**
 * Minimal functions of WordPress for the plugin. HTTP is real.
 */

declare(strict_types=1);

$GLOBALS['shop_hooks']        = array();
$GLOBALS['shop_translations'] = array();

final class WP_Error {
	public function __construct( private string $code, private string $message ) {}
	public function get_error_message(): string {
		return $this->message;
	}
}

function is_wp_error( $thing ): bool {
	return $thing instanceof WP_Error;
}

function add_filter( string $hook, callable $callback, int $priority = 10, int $arguments = 1 ): void {
	$GLOBALS['shop_hooks'][ $hook ][] = array( $callback, $arguments );
}

function add_action( string $hook, callable $callback, int $priority = 10, int $arguments = 1 ): void {
	add_filter( $hook, $callback, $priority, $arguments );
}

function remove_action( string $hook, callable $callback ): void {
	$GLOBALS['shop_hooks'][ $hook ] = array_filter( $GLOBALS['shop_hooks'][ $hook ] ?? array(), static fn( $one ) => $one[0] !== $callback );
}

function apply_filters( string $hook, $value, ...$others ) {
	foreach ( $GLOBALS['shop_hooks'][ $hook ] ?? array() as list( $callback, $arguments ) ) {
		$value = $callback( ...array_slice( array( $value, ...$others ), 0, $arguments ) );
	}
	return $value;
}

function do_action( string $hook, ...$values ): void {
	foreach ( $GLOBALS['shop_hooks'][ $hook ] ?? array() as list( $callback, $arguments ) ) {
		$callback( ...array_slice( $values, 0, $arguments ) );
	}
}

function get_option( string $name, $default = false ) {
	$row = Shop_Store::rows( 'select value from options where name = ?', $name )[0] ?? null;
	return null === $row ? $default : unserialize( $row['value'] );
}

function update_option( string $name, $value, $autoload = null ): bool {
	Shop_Store::rows( 'insert or replace into options values (?, ?)', $name, serialize( $value ) );
	return true;
}

function delete_option( string $name ): void {
	Shop_Store::rows( 'delete from options where name = ?', $name );
}

function wp_remote_request( string $url, array $arguments ) {
	$curl = curl_init( $url );
	curl_setopt_array(
		$curl,
		array(
			CURLOPT_CUSTOMREQUEST  => $arguments['method'],
			CURLOPT_HTTPHEADER     => array_map( static fn( $name, $value ) => "$name: $value", array_keys( $arguments['headers'] ), $arguments['headers'] ),
			CURLOPT_RETURNTRANSFER => true,
			CURLOPT_TIMEOUT        => $arguments['timeout'],
		) + ( isset( $arguments['body'] ) ? array( CURLOPT_POSTFIELDS => $arguments['body'] ) : array() )
	);
	$body = curl_exec( $curl );
	return false === $body
		? new WP_Error( 'http_request_failed', curl_error( $curl ) )
		: array(
			'code' => curl_getinfo( $curl, CURLINFO_RESPONSE_CODE ),
			'body' => $body,
		);
}

function wp_remote_retrieve_response_code( array $response ): int {
	return $response['code'];
}

function wp_remote_retrieve_body( array $response ): string {
	return $response['body'];
}

/** Like WordPress, with the order in which names are given. */
function add_query_arg( ...$arguments ): string {
	list( $new, $url ) = is_array( $arguments[0] ) ? $arguments : array( array( $arguments[0] => $arguments[1] ), $arguments[2] );
	return $url . ( str_contains( $url, '?' ) ? '&' : '?' ) . http_build_query( $new );
}

function wp_generate_uuid4(): string {
	$hex = bin2hex( random_bytes( 16 ) );
	return sprintf( '%s-%s-4%s-a%s-%s', substr( $hex, 0, 8 ), substr( $hex, 8, 4 ), substr( $hex, 13, 3 ), substr( $hex, 17, 3 ), substr( $hex, 20 ) );
}

function wp_is_uuid( string $text ): bool {
	return 1 === preg_match( '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D', $text );
}

function wp_safe_redirect( string $url ): void {
	header( "Location: $url", true, 302 );
}

function status_header( int $code ): void {
	http_response_code( $code );
}

function __( string $text, string $domain ): string {
	return $GLOBALS['shop_translations'][ $text ] ?? $text;
}

function load_plugin_textdomain( string $domain, $deprecated, string $folder ): void {
	$file = dirname( PLUGIN_MAIN, 2 ) . "/$folder/$domain-" . get_locale() . '.l10n.php';
	if ( is_readable( $file ) ) {
		$GLOBALS['shop_translations'] = ( require $file )['messages'];
	}
}

function get_locale(): string {
	return get_option( 'locale', 'en_US' );
}

function plugin_basename( string $file ): string {
	return basename( dirname( $file ) ) . '/' . basename( $file );
}

function plugins_url( string $path, string $file ): string {
	return "/plugins/$path";
}

function wp_register_script( string $handle, string $source, array $needs ): void {
	Shop_Store::log( 'script', "$handle $source " . implode( ' ', $needs ) );
}

function register_deactivation_hook( string $file, callable $callback ): void {
	add_action( 'deactivate', $callback );
}

function wp_next_scheduled( string $hook ) {
	return get_option( "cron_$hook" );
}

function wp_schedule_event( int $at, string $every, string $hook ): void {
	update_option( "cron_$hook", "$every" );
}

function wp_clear_scheduled_hook( string $hook ): void {
	delete_option( "cron_$hook" );
}

function wp_json_encode( $value ): string {
	return json_encode( $value, JSON_THROW_ON_ERROR );
}

function wp_parse_url( string $url ) {
	return parse_url( $url );
}

function esc_html( string $text ): string {
	return htmlspecialchars( $text, ENT_QUOTES );
}

function wp_kses_post( string $html ): string {
	return $html;
}

function wp_strip_all_tags( string $html ): string {
	return strip_tags( $html );
}

function sanitize_text_field( string $text ): string {
	return trim( strip_tags( $text ) );
}

function wp_unslash( $value ) {
	return $value;
}

function absint( $value ): int {
	return abs( (int) $value );
}

function clean_post_cache( int $id ): void {}

/** WordPress has its own for servers without mbstring. */
if ( ! function_exists( 'mb_substr' ) ) {
	function mb_substr( string $text, int $start, int $length ): string {
		preg_match( "/^.{0,$length}/us", $text, $found );
		return $found[0];
	}
}
