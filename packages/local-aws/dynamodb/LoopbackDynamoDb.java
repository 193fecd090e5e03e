import java.io.File;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Replaces DynamoDB Local's own main class, which always listens on all interfaces and outlives its parent. This one listens on the loopback
 * interface, prints its port, and exits when its standard input closes, even if its parent was killed. A directory has one process at a time,
 * and needs free space for writes.
 *
 * The compiled class is committed, because a Java runtime has no compiler. From DynamoDB Local's directory in node_modules:
 * javac --release 17 -g:none -cp "DynamoDBLocal.jar:DynamoDBLocal_lib/*" -d DIRECTORY LoopbackDynamoDb.java
 */
public class LoopbackDynamoDb {
  /** The system's lock on this file ends with the process, however it ends. */
  private static FileChannel lockFile;

  public static void main(String[] arguments) throws Exception {
    boolean inMemory = Boolean.getBoolean("inMemory");
    String directory = System.getProperty("directory");
    if (!inMemory) lock(Path.of(directory, "service.lock"));
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    boolean isShared = true;
    boolean delaysStatuses = false;
    String corsOrigins = null;
    LocalDynamoDBRequestHandler requests = new LocalDynamoDBRequestHandler(0, inMemory, directory, isShared, delaysStatuses);
    LocalDynamoDBServerHandler handler = new LocalDynamoDBServerHandler(requests, corsOrigins);
    server.setHandler(inMemory ? handler : new SpaceGuard(handler, new File(directory)));
    server.start();
    if (!inMemory) Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, requests)));
    System.out.println(connector.getLocalPort());
    System.in.read();
    if (inMemory) Runtime.getRuntime().halt(0);
    System.exit(0);
  }

  /** Refuses writes on a nearly full disk: DynamoDB Local acknowledges writes that SQLite then cannot store. */
  private static class SpaceGuard extends Handler.Wrapper {
    private final File directory;
    private final long minimumFreeBytes = Long.getLong("minimumFreeBytes");

    SpaceGuard(Handler handler, File directory) {
      super(handler);
      this.directory = directory;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String target = String.valueOf(request.getHeaders().get("X-Amz-Target"));
      boolean isRead = target.matches(".*\\.(Get|BatchGet|TransactGet|Query|Scan|List|Describe).*");
      if (isRead || directory.getUsableSpace() >= minimumFreeBytes) return super.handle(request, response, callback);
      response.setStatus(500);
      response.getHeaders().put("Content-Type", "application/x-amz-json-1.0");
      String message = "The disk of the data directory is nearly full.";
      String type = "com.amazonaws.dynamodb.v20120810#InternalServerError";
      Content.Sink.write(response, true, "{\"__type\":\"" + type + "\",\"message\":\"" + message + "\"}", callback);
      return true;
    }
  }

  /** Exits if another process still holds the lock after five seconds. */
  private static void lock(Path path) throws Exception {
    lockFile = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    for (int tries = 0; lockFile.tryLock() == null; tries++) {
      if (tries == 50) Runtime.getRuntime().halt(75);
      Thread.sleep(100);
    }
    lockFile.truncate(0).write(ByteBuffer.wrap(System.getProperty("owner").getBytes()));
  }

  /** Commits every write with a response: DynamoDB Local responds before it commits a transaction, and even after its shutdown. */
  private static void end(Server server, LocalDynamoDBRequestHandler requests) {
    try {
      server.stop();
      requests.shutdown();
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("SQLiteQueue")) thread.join(5_000);
      }
    } catch (Exception error) {
      // It ends in any case.
    }
  }
}
